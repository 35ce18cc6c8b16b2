// SPDX-License-Identifier: MIT
#include "app/render/light_passes.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace orrery {

const ScreenPass& LightPasses::shrink(DrawMode mode, bool layers) {
    return made(in_texture(mode) ? "shrink_points.glsl" : "shrink_splat.glsl", layers ? "LAYERS" : "");
}

const ScreenPass& LightPasses::finish(DrawMode mode, const PictureHas& has) {
    const bool all = sweep_ == Sweep::kCompute;
    std::string defined = has.layers ? "LAYERS" : "";
    if (all || has.glow) defined += " WITH_GLOW";
    if (all || has.relief) defined += " WITH_RELIEF";
    if (all || has.contours) defined += " WITH_CONTOURS";
    if (all || has.spheres) defined += " WITH_SPHERES";
    constexpr std::array kHues{" IN_ORDER", " IN_COLORS", " IN_MOMENTS"};  // by LightChannels
    if (!all) defined += kHues.at(static_cast<std::size_t>(has.channels));
    return made(in_texture(mode) ? "finish_points.glsl" : "finish_splat.glsl", defined);
}

const ScreenPass& LightPasses::made(std::string_view shade, std::string_view defined) {
    const auto key = fmt::format("{} {}", shade, defined);
    const auto found = passes_.find(key);
    return found != passes_.end() ? found->second : passes_.try_emplace(key, shade, sweep_, defined).first->second;
}

}  // namespace orrery
