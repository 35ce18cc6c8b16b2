// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"

namespace orrery {

/// How a pass runs over all pixels: by the rasteriser, which is faster with software GL, or as a compute shader, which
/// is faster on GPUs.
enum class Sweep { kDraw, kCompute };
inline Sweep best_sweep(bool software) { return software ? Sweep::kDraw : Sweep::kCompute; }

/// A texture that can be written by both.
class Canvas {
public:
    Canvas() = default;
    /// Throws Error{kEnvironment} as its members do.
    Canvas(GLenum format, int width, int height, Filter filter);
    const GlTexture& texture() const noexcept { return texture_; }
    GLuint framebuffer() const noexcept { return framebuffer_.name(); }
    int width() const noexcept { return texture_.width(); }
    int height() const noexcept { return texture_.height(); }
    void clear() const;  ///< sets all components to 0

private:
    GLenum format_ = 0;
    GlTexture texture_;
    GlFramebuffer framebuffer_;
    friend class ScreenPass;
};

/// While it is alive, the fragments of draw calls are added to a canvas. Changes the viewport and the framebuffer;
/// leaves blending disabled.
class AdditiveDrawing {
public:
    explicit AdditiveDrawing(const Canvas& into);
    AdditiveDrawing(const AdditiveDrawing&) = delete;
    AdditiveDrawing& operator=(const AdditiveDrawing&) = delete;
    ~AdditiveDrawing() { glDisable(GL_BLEND); }
};

/// A shader file that defines `vec4 shade(ivec2 pixel, vec2 uv)`, run over every pixel of a canvas.
class ScreenPass {
public:
    /// Throws Error{kEnvironment} as GlProgram does. `defined`: macros, as in GlProgram.
    ScreenPass(std::string_view shade, Sweep sweep, std::string_view defined = {});
    GLuint program() const noexcept { return program_.name(); }  ///< for its uniforms
    /// Overwrites the canvas. Its inputs must be bound; it changes the viewport, framebuffer and vertex array.
    void run(const Canvas& into) const;

private:
    Sweep sweep_;
    GlProgram program_;
    GlVertexArray nothing_;
};

}  // namespace orrery
