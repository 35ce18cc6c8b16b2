// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/image.hpp"
#include "app/render/screen_pass.hpp"

namespace orrery {

/// An RGBA8 picture to draw into.
class RenderTarget {
public:
    RenderTarget(int width, int height);
    const Canvas& canvas() const noexcept { return canvas_; }
    GLuint framebuffer() const noexcept { return canvas_.framebuffer(); }
    int width() const noexcept { return canvas_.width(); }
    int height() const noexcept { return canvas_.height(); }
    Image read() const { return read_pixels(framebuffer(), width(), height()); }
    void read(Image& into) const { read_pixels(framebuffer(), width(), height(), into); }

private:
    Canvas canvas_;
};

}  // namespace orrery
