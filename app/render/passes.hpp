// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/gl/buffer.hpp"
#include "app/render/gl/framebuffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"
#include "app/render/gl/vertex_array.hpp"
#include "app/render/shared_buffer.hpp"

namespace orrery {

/// Bodies as sprites, added by the rasteriser into a light map. Half floats: past some thousand sprites on one pixel
/// more of them no longer add up; `splat` has no such limit.
class PointsPass {
public:
    PointsPass();
    void resize(int width, int height);
    void add_light(const SharedBuffer& bodies);
    void develop(GLuint framebuffer) const;  ///< light to brightness

private:
    GlProgram add_, develop_;
    GlVertexArray bodies_, nothing_;
    GlTexture light_;
    GlFramebuffer framebuffer_;
};

/// Bodies as fixed-point light in a buffer of three numbers per pixel.
class SplatPass {
public:
    SplatPass();
    /// False when a picture of this size does not fit the driver's largest shader buffer; then the pass cannot run.
    bool resize(int width, int height);
    /// `view` is the uniform buffer bound at 0; its member `vertices` is written here, for each range of bodies.
    void add_light(const SharedBuffer& bodies, GlBuffer& view);
    void develop(GLuint framebuffer) const;

    /// Fixed-point units per unit of light: as fine as possible while no pixel can overflow, all bodies in it included.
    static double fixed_scale(std::size_t bodies, double light);

private:
    GlProgram add_, develop_;
    GlVertexArray nothing_;
    GlBuffer light_;
    std::size_t range_ = 0;  // bodies in one binding
    std::size_t largest_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace orrery
