// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <vector>

#include "app/render/gl/buffer.hpp"
#include "app/render/gl/framebuffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"
#include "app/render/gl/vertex_array.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/shared_buffer.hpp"

namespace orrery {

/// Channels accumulated with the light: see shaders/color.glsl.
enum class LightChannels { kIntensityAndPosition, kColors, kMoments };
/// Format of light textures. Squares less squares of means need all digits.
inline GLenum light_format(LightChannels channels) {
    if (channels == LightChannels::kMoments) return GL_RGBA32F;
    return channels == LightChannels::kColors ? GLenum{GL_RGBA16F} : GLenum{GL_RG16F};
}
/// Of a pixel, in buffers.
inline bool four_numbers(LightChannels channels) { return channels != LightChannels::kIntensityAndPosition; }

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

/// Writes zeros into a buffer and leaves it bound at 1: by shaders/zero.comp, or in software GL by its own call.
void clear_light(const GlBuffer& light, const GlProgram& zero, bool software);

/// Bodies as kernels of a width of their own, into a light map of floats with its channels: shaders/smooth.comp.
class SmoothPass {
public:
    static constexpr int kMostLevels = 10;
    /// Standard deviation of a kernel over the distance to the k-th neighbour: that of the cubic spline of smoothed
    /// particles whose support ends there (W. Dehnen & H. Aly 2012, MNRAS 425, 1068, table 1: H = 1.825742 · 2σ).
    static constexpr double kSigmaOfWidth = 1 / (2 * 1.825742);

    explicit SmoothPass(bool software);
    /// False if a picture of this size exceeds the driver's largest shader buffer; then the pass cannot run.
    bool resize(int width, int height, LightChannels channels);
    /// `pixels_per_length` at distance 1 from the eye. `view` as SplatPass. The bits do not depend on `widths.order`.
    void add_light(const SharedBuffer& bodies, BodyWidths widths, double pixels_per_length, GlBuffer& view,
                   Sweep sweep);
    void bind_light() const { canvases_.front().texture().bind(0); }  ///< as light_points.glsl reads it
    const GlTexture& light() const { return canvases_.front().texture(); }

private:
    struct Level {
        GLint first, width, height;  // of texels, with margins
    };
    struct Texels {
        static void destroy(GLuint name) { glDeleteTextures(1, &name); }
    };

    GlProgram spread_, zero_;
    std::optional<GlProgram> tiles_;  // for bodies in order
    std::optional<ScreenPass> gather_;
    bool software_;
    std::vector<Level> levels_;
    std::vector<Canvas> canvases_;  // that of level 0 without margins
    GlBuffer light_;
    GlName<Texels> texels_;
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
    GlProgram add_, zero_;
    bool software_;
    GlName<Texels> texels_;
    GlBuffer light_;
    std::size_t range_ = 0;  // bodies in one binding
    std::size_t largest_ = 0;
};

}  // namespace orrery
