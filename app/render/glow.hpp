// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/passes.hpp"
#include "app/render/screen_pass.hpp"

namespace orrery {

/// Light scattered in the lens: the light blurred at a quarter and at a sixteenth of the frame size. It merges bodies
/// into the haze that they would form from farther away.
class Glow {
public:
    explicit Glow(Sweep sweep);
    void resize(int width, int height, LightChannels channels);
    /// Writes the light of 4 × 4 pixels each, before scattering, to texture(). `shrink_light` as in run().
    void shrink(const ScreenPass& shrink_light) const { shrink_light.run(near_.canvases[0]); }
    /// `shrink_light` is shrink_points.glsl or shrink_splat.glsl, with its inputs bound. The result is in texture().
    /// Changes the same state as ScreenPass.
    void run(const ScreenPass& shrink_light);
    void scatter();  ///< run() after shrink()
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

}  // namespace orrery
