// SPDX-License-Identifier: MIT
#pragma once
#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery {

/// A picture as files hold it: rows from the top down, four sRGB bytes per pixel, alpha always 255.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;

    bool empty() const noexcept { return rgba.empty(); }
    const std::uint8_t* row(int y) const noexcept {
        return rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width) * 4;
    }
};

/// Reads the lower left width × height pixels of a framebuffer (0: the window's) and waits for them.
Image read_pixels(GLuint framebuffer, int width, int height);
/// The same into an image whose memory is reused.
void read_pixels(GLuint framebuffer, int width, int height, Image& into);

}  // namespace orrery
