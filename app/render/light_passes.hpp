// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "app/render/passes.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/view_settings.hpp"

namespace orrery {

/// Whether the light of bodies lies in a texture; else in a buffer.
inline bool in_texture(DrawMode mode) { return mode != DrawMode::kSplat; }

/// What a picture has besides the light of bodies, and what that light comes with.
struct PictureHas {
    bool layers, glow, relief, contours, spheres;
    LightChannels channels;
};

/// What follows the bodies; reads light where its pass has left it. Made when they are first needed.
class LightPasses {
public:
    explicit LightPasses(Sweep sweep) : sweep_{sweep} {}
    const ScreenPass& shrink(DrawMode mode, bool layers);
    /// Each combination has a shader of its own in software GL (shaders/finish.glsl), which draws the usual picture in
    /// a third of the time of the one that can do all. A GPU would wait for its compiler and gain nothing.
    const ScreenPass& finish(DrawMode mode, const PictureHas& has);

private:
    const ScreenPass& made(std::string_view shade, std::string_view defined);

    Sweep sweep_;
    std::map<std::string, ScreenPass> passes_;
};

}  // namespace orrery
