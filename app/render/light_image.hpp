// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

namespace orrery {

/// The light of bodies before it is developed: rows from the top down, four numbers per pixel. Light in units of that
/// of one body of mean mass, so that their sum is the number of bodies in the picture, or their mass over the mean one.
/// Light, light × place in the colour map, 0, 0; with `hues` light, light × linear colour; with `moments` light, light
/// × place, light × place², 0, places being those of three times the range of the map.
struct LightImage {
    int width = 0, height = 0;
    bool hues = false, moments = false;
    std::vector<float> numbers;

    const float* pixel(int x, int y) const noexcept {
        return numbers.data() +
               4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
};

/// What light comes with.
enum class LightOf {
    kColors,  ///< as the picture's colours
    kDepth,   ///< away / (away + distance of the target), away from the eye along the direction of view
};

}  // namespace orrery
