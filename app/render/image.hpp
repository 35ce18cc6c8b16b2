// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace orrery {

/// A picture as stored in files: rows from the top down, four sRGB bytes per pixel, alpha always 255.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;

    bool empty() const noexcept { return rgba.empty(); }
    const std::uint8_t* row(int y) const noexcept {
        return rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 4;
    }
};

/// A finished picture on its way to a file: immutable, and its memory is reused after its last owner.
using SharedImage = std::shared_ptr<const Image>;

}  // namespace orrery
