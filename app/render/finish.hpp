// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "app/render/body_light.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/view_settings.hpp"

namespace orrery {

/// Light scattered in the lens: the light blurred at a quarter and at a sixteenth of the frame size. It merges bodies
/// into the haze that they would form from farther away.
class Glow {
public:
    explicit Glow(Sweep sweep) : shrink_{"shrink.glsl", sweep}, blur_{"blur.glsl", sweep} {}
    void resize(int width, int height, LightChannels channels);
    /// Writes the light of 4 × 4 pixels each, before scattering, to texture(). `shrink_light` is shrink_points.glsl or
    /// shrink_splat.glsl, with its inputs bound. Changes the same state as ScreenPass.
    void shrink(const ScreenPass& shrink_light) const { shrink_light.run(near_.canvases[0]); }
    void scatter() const;  ///< after shrink(): replaces texture() by the scattered light
    const GlTexture& texture() const noexcept { return near_.canvases[0].texture(); }

private:
    struct Level {
        Canvas canvases[2];  // ping-pong buffers of the blur
        void resize(int width, int height, LightChannels channels);
    };
    void blur(const Level& level, float wider_share) const;

    ScreenPass shrink_, blur_;
    Level near_, far_;
};

/// Turns the light of a frame into its pixels: glow, tone mapping and colours. The passes are created on demand.
class Finish {
public:
    explicit Finish(Sweep sweep) : sweep_{sweep}, glow_{sweep} {}

    /// Does nothing if size and channels are unchanged.
    void resize(int width, int height, LightChannels channels);
    LightChannels channels() const noexcept { return channels_; }  ///< of the glow

    /// The bound light of bodies alone, 4 × 4 pixels each. Valid until run().
    const GlTexture& shrink_bodies(const BodyLight& light);
    /// Overwrites `target` with the finished frame. `shrunk`: shrink_bodies() has been called for this frame.
    /// `spheres`: some are visible.
    void run(const BodyLight& light, const ViewSettings& settings, bool shrunk, bool spheres, const Canvas& target);
    /// Overwrites `target` with the light of bodies as numbers, without tone mapping.
    void write_light(const BodyLight& light, const Canvas& target);

private:
    const ScreenPass& shrink_pass(const BodyLight& light, bool layers);
    const ScreenPass& finish_pass(const BodyLight& light, const ViewSettings& settings, bool layers, bool spheres);
    const ScreenPass& pass(std::string_view shade, std::string_view defined);

    Sweep sweep_;
    std::map<std::string, ScreenPass> passes_;
    Glow glow_;
    int width_ = 0, height_ = 0;
    LightChannels channels_ = LightChannels::kIntensityAndPosition;
};

}  // namespace orrery
