// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "app/render/passes.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/view_settings.hpp"

namespace orrery {

/// True if the light of bodies is in a texture; otherwise it is in a buffer.
inline bool in_texture(DrawMode mode) { return mode != DrawMode::kSplat; }

/// Contents of a frame besides the light of bodies, and the channels of that light.
struct PictureHas {
    bool layers, glow, relief, contours, spheres;
    LightChannels channels;
};

/// Passes that run after bodies are drawn and read their light. Created on demand.
class LightPasses {
public:
    explicit LightPasses(Sweep sweep) : sweep_{sweep} {}
    const ScreenPass& shrink(DrawMode mode, bool layers);
    /// In software GL each combination has its own shader (shaders/finish.glsl), which draws the default frame in a
    /// third of the time of a general shader. On a GPU, compiling them would take time without any gain.
    const ScreenPass& finish(DrawMode mode, const PictureHas& has);

private:
    const ScreenPass& made(std::string_view shade, std::string_view defined);

    Sweep sweep_;
    std::map<std::string, ScreenPass> passes_;
};

}  // namespace orrery
