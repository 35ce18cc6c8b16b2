// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/gl/buffer.hpp"
#include "app/render/gl/framebuffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"
#include "app/render/gl/vertex_array.hpp"
#include "app/render/shared_buffer.hpp"

namespace orrery {

/// Channels accumulated with the light: see shaders/color.glsl.
enum class LightChannels { kIntensityAndPosition, kColors };
/// Format of light textures.
inline GLenum light_format(LightChannels channels) {
    return channels == LightChannels::kColors ? GLenum{GL_RGBA16F} : GLenum{GL_RG16F};
}

/// Bodies as sprites, blended by the rasteriser into a light map with its channels. Half floats saturate at some
/// thousand sprites per pixel; `splat` has no such limit.
class PointsPass {
public:
    PointsPass();
    void resize(int width, int height, LightChannels channels);
    void add_light(const SharedBuffer& bodies);
    void bind_light() const;  ///< as light_points.glsl reads it

private:
    GlProgram add_;
    GlVertexArray bodies_;
    GlTexture light_;
    GlFramebuffer framebuffer_;
};

/// Bodies as fixed-point light in a buffer of two or four numbers per pixel.
class SplatPass {
public:
    explicit SplatPass(bool software);
    /// False if a picture of this size exceeds the driver's largest shader buffer; then the pass cannot run.
    bool resize(int width, int height, LightChannels channels);
    /// `view` is the uniform buffer bound at 0; its member `vertices` is written here, for each range of bodies.
    void add_light(const SharedBuffer& bodies, GlBuffer& view);
    void bind_light() const;  ///< as light_splat.glsl reads it

    /// Fixed-point units per unit of light: as fine as possible without overflow even if all bodies fall on one pixel.
    static double fixed_scale(std::size_t bodies, double light);

private:
    struct Texels {
        static void destroy(GLuint name) { glDeleteTextures(1, &name); }
    };
    void clear_light();  // bound at 1

    GlProgram add_, zero_;
    bool software_;
    GlName<Texels> texels_;
    GlBuffer light_;
    std::size_t range_ = 0;  // bodies in one binding
    std::size_t largest_ = 0;
};

}  // namespace orrery
