// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery {

/// More of a picture than bytes hold; rows from the top down.
struct DeepImage {
    /// sRGB, three per pixel; of HDR10 BT.2020 with the curve PQ; empty if not wanted.
    std::vector<std::uint16_t> rgb;
    /// Five per pixel; empty if not wanted: linear red, green and blue, of which 1 is drawn white, light of bodies in
    /// units of that of one body of mean mass, and its mean depth in lengths of the scene, 0 where there is none.
    std::vector<float> light;
    double body_mass = 0;  ///< the mean mass; 0: unknown
};

/// A picture as stored in files: rows from the top down, four sRGB bytes per pixel, alpha always 255.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;
    std::shared_ptr<const DeepImage> deep{};  ///< the same picture as a recorder wants it; `rgba` is then empty

    bool empty() const noexcept { return rgba.empty() && !deep; }
    const std::uint8_t* row(int y) const noexcept {
        return rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 4;
    }
};

/// A finished picture on its way to a file: immutable, and its memory is reused after its last owner.
using SharedImage = std::shared_ptr<const Image>;

}  // namespace orrery
