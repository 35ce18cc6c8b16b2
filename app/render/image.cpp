// SPDX-License-Identifier: MIT
#include "app/render/image.hpp"

#include <algorithm>

namespace orrery {

Image read_pixels(GLuint framebuffer, int width, int height) {
    Image image;
    read_pixels(framebuffer, width, height, image);
    return image;
}

void read_pixels(GLuint framebuffer, int width, int height, Image& into) {
    const std::size_t stride = static_cast<std::size_t>(width) * 4;
    into.width = width;
    into.height = height;
    into.rgba.resize(stride * static_cast<std::size_t>(height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, into.rgba.data());
    // GL counts rows from below.
    for (std::size_t top = 0, bottom = static_cast<std::size_t>(height); top + 1 < bottom; ++top) {
        --bottom;
        std::swap_ranges(into.rgba.begin() + static_cast<std::ptrdiff_t>(top * stride),
                         into.rgba.begin() + static_cast<std::ptrdiff_t>((top + 1) * stride),
                         into.rgba.begin() + static_cast<std::ptrdiff_t>(bottom * stride));
    }
    // A window may have an alpha channel of its own.
    for (std::size_t i = 3; i < into.rgba.size(); i += 4) into.rgba[i] = 255;
}

}  // namespace orrery
