// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/image.hpp"
#include "app/render/screen_pass.hpp"

namespace orrery {

/// A frame to draw into, RGBA8 or RGBA16.
class RenderTarget {
public:
    RenderTarget(int width, int height, int bits = 8);  ///< 10, 16: for read_deep()
    const Canvas& canvas() const noexcept { return canvas_; }
    GLuint framebuffer() const noexcept { return canvas_.framebuffer(); }
    int width() const noexcept { return canvas_.width(); }
    int height() const noexcept { return canvas_.height(); }
    /// Waits for the frame. Use Readback for sequences of frames.
    Image read() const;
    void read(Image& into) const;  ///< reuses memory of the right size
    /// Red, green and blue in 16 bits as drawn; `shrink` × `shrink` sRGB pixels are averaged as light. Waits for the
    /// frame.
    std::vector<std::uint16_t> read_deep(int shrink) const;

private:
    Canvas canvas_;
};

/// Copies the lower left part of the window, as drawn so far into `screen`, to `into`, whose size it has.
void copy_window(GLuint screen, const RenderTarget& into);

}  // namespace orrery
