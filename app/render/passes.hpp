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
/// Format of light textures. A variance, a difference of nearly equal numbers, needs full precision.
inline GLenum light_format(LightChannels channels) {
    if (channels == LightChannels::kMoments) return GL_RGBA32F;
    return channels == LightChannels::kColors ? GLenum{GL_RGBA16F} : GLenum{GL_RG16F};
}
/// True if a pixel has four numbers in buffers, otherwise two.
inline bool four_numbers(LightChannels channels) { return channels != LightChannels::kIntensityAndPosition; }

/// Draws bodies as sprites, blended by the rasteriser into a light map with its channels. Half floats saturate at some
/// thousand sprites per pixel; `splat` has no such limit.
class PointsPass {
public:
    PointsPass();
    void resize(int width, int height, LightChannels channels);
    void add_light(const SharedBuffer& bodies);
    void bind_light() const;  ///< for light_points.glsl

private:
    GlProgram add_;
    GlVertexArray bodies_;
    GlTexture light_;
    GlFramebuffer framebuffer_;
};

/// Clears a buffer and leaves it bound at 1: with shaders/zero.comp, or in software GL with its own clear command.
void clear_light(const GlBuffer& light, const GlProgram& zero, bool software);

/// Draws bodies as kernels of individual widths into a light map of floats with its channels: shaders/smooth.comp.
class SmoothPass {
public:
    static constexpr int kMostLevels = 10;
    /// Standard deviation of a kernel over the distance to the k-th neighbour: that of the cubic spline of smoothed
    /// particle hydrodynamics with its support ending there (W. Dehnen & H. Aly 2012, MNRAS 425, 1068, table 1: H =
    /// 1.825742 · 2σ).
    static constexpr double kSigmaOfWidth = 1 / (2 * 1.825742);

    explicit SmoothPass(bool software);
    /// False if a frame of this size exceeds the driver's largest shader buffer; then the pass cannot run.
    bool resize(int width, int height, LightChannels channels);
    /// `pixels_per_length` at distance 1 from the eye. `view` as in SplatPass. The result does not depend on
    /// `widths.order`.
    void add_light(const SharedBuffer& bodies, BodyWidths widths, double pixels_per_length, GlBuffer& view,
                   Sweep sweep);
    void bind_light() const { canvases_.front().texture().bind(0); }  ///< for light_points.glsl
    const GlTexture& light() const { return canvases_.front().texture(); }

private:
    struct Level {
        GLint first, width, height;  // in texels, with margins
    };
    struct Texels {
        static void destroy(GLuint name) { glDeleteTextures(1, &name); }
    };

    GlProgram spread_, zero_;
    std::optional<GlProgram> tiles_;  // for sorted bodies
    std::optional<ScreenPass> gather_;
    bool software_;
    std::vector<Level> levels_;
    std::vector<Canvas> canvases_;  // level 0 without margins
    GlBuffer light_;
    GlName<Texels> texels_;
};

/// Adds bodies as fixed-point light to a buffer of two or four numbers per pixel.
class SplatPass {
public:
    explicit SplatPass(bool software);
    /// False if a frame of this size exceeds the driver's largest shader buffer; then the pass cannot run.
    bool resize(int width, int height, LightChannels channels);
    /// `view` is the uniform buffer bound at 0; its member `vertices` is written for each range of bodies.
    void add_light(const SharedBuffer& bodies, GlBuffer& view);
    void bind_light() const;  ///< for light_splat.glsl

    /// Fixed-point units per unit of light: as fine as possible without overflow, even if all bodies fall on one pixel.
    static double fixed_scale(std::size_t bodies, double light);

private:
    struct Texels {
        static void destroy(GLuint name) { glDeleteTextures(1, &name); }
    };
    GlProgram add_, zero_;
    bool software_;
    GlName<Texels> texels_;
    GlBuffer light_;
    std::size_t range_ = 0;  // bodies per binding
    std::size_t largest_ = 0;
};

}  // namespace orrery
