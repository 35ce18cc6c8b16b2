// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery {

/// Pixels with more than eight bits; rows from top to bottom.
struct DeepImage {
    /// Three values per pixel: sRGB, or for HDR10 BT.2020 with the PQ curve; empty if not requested.
    std::vector<std::uint16_t> rgb;
    /// Five values per pixel; empty if not requested: linear red, green and blue, of which 1 is drawn white; light in
    /// units of one body of mean mass; mean depth of the light in lengths of the scene, 0 without light.
    std::vector<float> light;
    double body_mass = 0;  ///< the mean mass; 0: unknown
};

/// A frame as stored in files: rows from top to bottom, four sRGB bytes per pixel, alpha always 255.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;
    std::shared_ptr<const DeepImage> deep{};  ///< the frame for recorders of more than 8 bits; `rgba` is then empty

    bool empty() const noexcept { return rgba.empty() && !deep; }
    const std::uint8_t* row(int y) const noexcept {
        return rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 4;
    }
};

/// A finished frame on its way to a file: immutable; its memory is reused when the last owner releases it.
using SharedImage = std::shared_ptr<const Image>;

}  // namespace orrery
