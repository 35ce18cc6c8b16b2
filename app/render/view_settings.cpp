// SPDX-License-Identifier: MIT
#include "app/render/view_settings.hpp"

#include <array>

namespace orrery {

std::span<const DrawModeEntry> draw_modes() {
    static constexpr auto menu = std::to_array<DrawModeEntry>({
        {"auto", "Automatic", "points for few bodies, splat for many", DrawMode::kAuto},
        {"points", "Points", "soft sprites, blended by the rasteriser", DrawMode::kPoints},
        {"splat", "Splat", "light accumulated in fixed point by a compute shader; fast for millions of bodies",
         DrawMode::kSplat},
    });
    return menu;
}

std::span<const ToneMapEntry> tone_maps() {
    static constexpr auto menu = std::to_array<ToneMapEntry>({
        {"aces", "ACES", "film-like: deep shadows, highlights roll off to white", ToneMap::kAces},
        {"reinhard", "Reinhard", "softer: x / (1 + x)", ToneMap::kReinhard},
        {"clamp", "None", "linear, clipped at white", ToneMap::kClamp},
    });
    return menu;
}

}  // namespace orrery
