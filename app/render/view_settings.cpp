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
        {"smoothed", "Smoothed",
         "projected density: the light of each body is spread over the distance to its k-th neighbour; mass density "
         "with size by mass 1",
         DrawMode::kSmoothed},
    });
    return menu;
}

std::span<const ExposureByEntry> exposures() {
    static constexpr auto menu = std::to_array<ExposureByEntry>({
        {"picture", "Picture", "percentiles of its light, so that a scene looks the same with any number of bodies",
         ExposureBy::kPicture},
        {"bodies", "Bodies", "the number of bodies and the area that they cover", ExposureBy::kBodies},
    });
    return menu;
}

std::span<const SliceAcrossEntry> slices() {
    static constexpr auto menu = std::to_array<SliceAcrossEntry>({
        {"view", "Line of sight", "turns with the camera", SliceAcross::kView},
        {"x", "x", "lies in y and z", SliceAcross::kX},
        {"y", "y", "lies in x and z", SliceAcross::kY},
        {"z", "z", "lies in the orbital plane, x and y", SliceAcross::kZ},
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
