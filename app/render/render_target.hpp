// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/gl/framebuffer.hpp"
#include "app/render/gl/texture.hpp"
#include "app/render/image.hpp"

namespace orrery {

/// An RGBA8 picture to draw into where there is no window.
class RenderTarget {
public:
    RenderTarget(int width, int height);
    GLuint framebuffer() const noexcept { return framebuffer_.name(); }
    int width() const noexcept { return color_.width(); }
    int height() const noexcept { return color_.height(); }
    Image read() const { return read_pixels(framebuffer(), width(), height()); }
    void read(Image& into) const { read_pixels(framebuffer(), width(), height(), into); }

private:
    GlTexture color_;
    GlFramebuffer framebuffer_;
};

}  // namespace orrery
