// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

namespace orrery {

/// The light of bodies before tone mapping: rows from top to bottom, four values per pixel. Light is in units of one
/// body of mean mass, so its sum is the number of bodies in the frame, or their mass over the mean mass. The values are
/// light, light × position in the colour map, 0, 0; with `hues`, light, light × linear colour; with `moments`, light,
/// light × position, light × position², 0, where positions cover three times the range of the map.
struct LightImage {
    int width = 0, height = 0;
    bool hues = false, moments = false;
    std::vector<float> numbers;

    const float* pixel(int x, int y) const noexcept {
        return numbers.data() +
               4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
};

/// The quantity stored with the light.
enum class LightOf {
    kColors,  ///< the frame's colours
    kDepth,   ///< away / (away + distance of the target), with away measured from the eye along the line of sight
};

}  // namespace orrery
