// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/image.hpp"
#include "app/render/screen_pass.hpp"

namespace orrery {

/// An RGBA8 picture to draw into.
class RenderTarget {
public:
    RenderTarget(int width, int height, int bits = 8);  ///< 10, 16: for read_deep()
    const Canvas& canvas() const noexcept { return canvas_; }
    GLuint framebuffer() const noexcept { return canvas_.framebuffer(); }
    int width() const noexcept { return canvas_.width(); }
    int height() const noexcept { return canvas_.height(); }
    /// Waits for the picture. Use Readback for sequences of pictures.
    Image read() const;
    void read(Image& into) const;  ///< memory of the right size is reused
    /// Red, green and blue of 16 bits, as drawn; of sRGB `shrink` × `shrink` pixels averaged as light. Waits for the
    /// picture.
    std::vector<std::uint16_t> read_deep(int shrink) const;

private:
    Canvas canvas_;
};

/// Copies the lower left part of the window, as drawn so far into `screen`, into `into`, whose size it has.
void copy_window(GLuint screen, const RenderTarget& into);

}  // namespace orrery
