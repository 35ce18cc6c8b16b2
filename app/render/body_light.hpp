// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/render/frame_uniforms.hpp"
#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/optics_buffers.hpp"
#include "app/render/screen_pass.hpp"
#include "app/render/shared_buffer.hpp"
#include "app/render/view_settings.hpp"

namespace orrery {

/// Channels accumulated with the light: see shaders/color.glsl.
enum class LightChannels { kIntensityAndPosition, kColors, kMoments, kBands };
/// Format of light textures. A variance, a difference of nearly equal numbers, needs full precision.
inline GLenum light_format(LightChannels channels) {
    if (channels == LightChannels::kMoments) return GL_RGBA32F;
    return channels == LightChannels::kIntensityAndPosition ? GLenum{GL_RG16F} : GLenum{GL_RGBA16F};
}

/// Draws bodies as sprites, blended by the rasteriser into a light map with its channels. Half floats saturate at some
/// thousand sprites per pixel; `splat` has no such limit.
class PointsPass {
public:
    PointsPass() : add_{"points.vert", "points.frag"} {}
    void resize(int width, int height, LightChannels channels);
    /// `bands`: name of OpticsBuffers::Light; 0: colours follow from the scalar.
    void add_light(const SharedBuffer& bodies, GLuint bands, int copies);
    void bind_light() const { light_.texture().bind(0); }  ///< for light_points.glsl

private:
    GlProgram add_;
    std::optional<GlProgram> add_bands_;  // created on demand
    GlVertexArray bodies_;
    Canvas light_;
};

/// Light in fixed point, in a buffer of two or four numbers per texel to which compute shaders add.
class LightBuffer {
public:
    explicit LightBuffer(bool software) : zero_{"zero.comp"}, software_{software} {}
    /// False if the buffer would exceed the driver's largest one; it is empty then.
    bool resize(std::size_t texels, LightChannels channels);
    void clear() const;  ///< leaves it bound at 1
    void bind_texels() const { glBindTextureUnit(0, texels_.get()); }

private:
    GlProgram zero_;
    bool software_;  // GL's own clear command is faster then
    GlBuffer numbers_;
    GlName<TextureKind> texels_;
};

/// Calls draw(first, count) for ranges of at most `range` bodies, with the bodies bound at 0, their masses at 3, and
/// their number in the block View.
template <class Draw>
void for_each_range(const SharedBuffer& bodies, std::size_t range, GlBuffer& view, const Draw& draw) {
    for (std::size_t first = 0; first < bodies.count(); first += range) {
        const std::size_t count = std::min(range, bodies.count() - first);
        const auto vertices = static_cast<GLint>(count);
        view.write(&vertices, sizeof vertices, offsetof(ViewUniforms, vertices));
        bind_storage_range(0, bodies.name(), first, count, sizeof(Vec4f));
        if (bodies.masses() != 0) bind_storage_range(3, bodies.masses(), first, count, sizeof(float));
        draw(first, count);
    }
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
}

/// The geometry of a frame.
struct Sight {
    double pixels_per_length;  ///< at distance 1 from the eye
    double target = 1;         ///< distance of the camera's target
    float fixed_scale = 1;     ///< ViewUniforms::fixed_scale
    int copies = 1;            ///< Periodic::copies()
};

/// How smoothed bodies are spread and shine.
struct SmoothKernels {
    BodyWidths widths;               ///< distances to neighbours
    OpticsBuffers::Lengths lengths;  ///< take their place
    OpticsBuffers::Light light;      ///< with LightChannels::kBands
    GLuint slices = 0;               ///< slice of each bin of depths, see DustPass; 0: all bodies are drawn
    int slice = 0;                   ///< the one that is drawn
    float target = 1;                ///< Sight::target
};

/// Draws bodies as kernels of individual widths into a light map of floats with its channels: shaders/smooth.comp.
class SmoothPass {
public:
    static constexpr int kMostLevels = 10;
    /// Standard deviation of a kernel over the distance to the k-th neighbour: that of the cubic spline of smoothed
    /// particle hydrodynamics with its support ending there (W. Dehnen & H. Aly 2012, MNRAS 425, 1068, table 1: H =
    /// 1.825742 · 2σ).
    static constexpr double kSigmaOfWidth = 1 / (2 * 1.825742);

    /// With slices: units of the light buffer per optical depth of 1.
    static constexpr float kDepthScale = 4096;

    explicit SmoothPass(bool software) : light_{software} {}
    /// False if a frame of this size exceeds the driver's largest shader buffer; then the pass cannot run.
    bool resize(int width, int height, LightChannels channels);
    /// `view` as in SplatPass. The result does not depend on `widths.order`.
    void add_light(const SharedBuffer& bodies, const SmoothKernels& kernels, const Sight& sight, GlBuffer& view,
                   Sweep sweep);
    void bind_light() const { light().bind(0); }  ///< for light_points.glsl
    const GlTexture& light() const { return canvases_.front().texture(); }

private:
    struct Level {
        GLint first, width, height;  // in texels, with margins
    };

    const GlProgram& spread(const SmoothKernels& kernels, bool in_order);

    std::map<std::string, GlProgram> programs_;  // created on demand
    std::optional<ScreenPass> gather_;
    std::vector<Level> levels_;
    std::vector<Canvas> canvases_;  // level 0 without margins
    LightBuffer light_;
};

/// Adds bodies as fixed-point light to a buffer of two or four numbers per pixel.
class SplatPass {
public:
    explicit SplatPass(bool software);
    /// False if a frame of this size exceeds the driver's largest shader buffer; then the pass cannot run.
    bool resize(int width, int height, LightChannels channels);
    /// `view` is the uniform buffer bound at 0; its member `vertices` is written for each range of bodies.
    /// `bands` as in PointsPass.
    void add_light(const SharedBuffer& bodies, GLuint bands, GlBuffer& view);
    void bind_light() const { light_.bind_texels(); }  ///< for light_splat.glsl

    /// Fixed-point units per unit of light: as fine as possible without overflow, even if all bodies fall on one pixel.
    static double fixed_scale(std::size_t bodies, double light);

private:
    std::string_view file_;
    GlProgram add_;
    std::optional<GlProgram> add_bands_;  // created on demand
    LightBuffer light_;
    std::size_t range_;  // bodies per binding
};

class DustPass;

/// The light of the bodies of a frame, drawn by the pass that suits their number and the settings.
class BodyLight {
public:
    BodyLight(bool software, Sweep sweep);
    BodyLight(BodyLight&&) noexcept;
    BodyLight& operator=(BodyLight&&) noexcept;
    ~BodyLight();

    /// Does nothing if size and channels are unchanged.
    void resize(int width, int height, LightChannels channels);
    int width() const noexcept { return width_; }
    int height() const noexcept { return height_; }
    LightChannels channels() const noexcept { return channels_; }
    /// If true, smoothed frames wait until the neighbours of their bodies are found; otherwise they use those of an
    /// earlier state.
    void set_patient(bool patient) noexcept { patient_ = patient; }

    /// Chooses the mode of the next add_light(): that of the settings, except that kAuto depends on the number of
    /// bodies and kSmoothed is the same as kAuto until the neighbours have been found. Throws if the frame is too
    /// large.
    void choose(const SharedBuffer& bodies, const ViewSettings& settings);
    DrawMode mode() const noexcept { return mode_; }  ///< as chosen last
    /// True if the light is in a texture, otherwise in a buffer.
    bool in_texture() const noexcept { return mean_ || mode_ != DrawMode::kSplat; }

    /// Leaves the light bound. `view` as in SmoothPass.
    void add_light(const SharedBuffer& bodies, const Sight& sight, GlBuffer& view);
    /// Replaces the light by a mean of several, which must outlive its use; null: the light that was added.
    void replace(const GlTexture* mean) noexcept { mean_ = mean; }
    GLuint widths() const noexcept { return mode_ == DrawMode::kSmoothed ? kernels_.widths.distances : 0; }
    void bind_light() const;  ///< for light_points.glsl if in_texture(), otherwise for light_splat.glsl

private:
    DrawMode choose(DrawMode wish, std::size_t bodies, float size) const;

    PointsPass points_;
    SplatPass splat_;
    std::optional<SmoothPass> smooth_;  // created on demand, as dust_
    std::unique_ptr<DustPass> dust_;
    bool software_;
    Sweep sweep_;
    int width_ = 0, height_ = 0;
    LightChannels channels_ = LightChannels::kIntensityAndPosition;
    bool splat_fits_ = false, smooth_fits_ = false, patient_ = false;
    OpticsBuffers optics_;
    SmoothKernels kernels_;
    double dust_strength_ = 0;
    const GlTexture* mean_ = nullptr;
    DrawMode mode_ = DrawMode::kAuto;
};

}  // namespace orrery
