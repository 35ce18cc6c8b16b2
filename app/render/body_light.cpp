// SPDX-License-Identifier: MIT
#include "app/render/body_light.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "app/render/dust_pass.hpp"
#include "core/base/error.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {
namespace {

constexpr std::size_t kSpreadGroup = 256;      // bodies per work group of smooth.comp
constexpr std::size_t kTilesGroup = 2048;      // bodies per work group of smooth_tiles.comp
constexpr std::size_t kSplatGroup = 256;       // bodies per work group of splat.comp
constexpr std::size_t kZeroedByGroup = 16384;  // bytes, in zero.comp
constexpr int kMargin = 2;                     // as in smooth.comp and smooth.glsl
// Locations of uniforms of spread.glsl.
constexpr GLint kShapes = 1, kLevels = 11, kSupport = 12, kSlice = 13, kDepths = 14;

// Fewer bodies than this are drawn as sprites, which a viewer can distinguish. A GPU's rasteriser draws more at no
// cost.
constexpr std::size_t kFewBodies = 2000, kFewBodiesOfHardware = 5000;
constexpr double kMostLarger = 4;

/// True if 64-bit atomic additions exist; Mesa's software GL has none.
bool adds_pairs() {
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    int found = 0;
    for (GLint i = 0; i < count; ++i) {
        const auto* text = reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
        const std::string_view name = text ? text : "";
        found += name == "GL_NV_shader_atomic_int64" || name == "GL_NV_gpu_shader5" ? 1 : 0;
    }
    return found == 2;
}

/// The ranks that each draw other bodies; null: this process draws all.
Ranks* owners() { return process_ranks() && process_ranks()->own_bodies ? process_ranks() : nullptr; }

/// Sums over the ranks, in their order.
template <class T>
std::vector<T> totals_of(Ranks& ranks, const std::vector<T>& own) {
    std::vector<T> totals(own.size());
    sum_in_order(ranks, std::span{totals}, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) totals[i] += own[i];
    });
    return totals;
}

/// Replaces light by that of the bodies of all ranks.
void add_up(Ranks& ranks, const GlTexture& light) {
    GLint blue = 0;
    glGetTextureLevelParameteriv(light.name(), 0, GL_TEXTURE_BLUE_SIZE, &blue);
    const GLenum format = blue > 0 ? GL_RGBA : GL_RG;
    const std::size_t pixels = static_cast<std::size_t>(light.width()) * static_cast<std::size_t>(light.height());
    std::vector<float> numbers(pixels * (blue > 0 ? 4 : 2));
    glGetTextureImage(light.name(), 0, format, GL_FLOAT, static_cast<GLsizei>(numbers.size() * sizeof(float)),
                      numbers.data());
    numbers = totals_of(ranks, numbers);
    glTextureSubImage2D(light.name(), 0, 0, 0, light.width(), light.height(), format, GL_FLOAT, numbers.data());
}

/// The same for light in fixed point, in the buffer bound at 1.
void add_up_bound_light(Ranks& ranks) {
    GLint name = 0, bytes = 0;
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 1, &name);
    const auto light = static_cast<GLuint>(name);
    glGetNamedBufferParameteriv(light, GL_BUFFER_SIZE, &bytes);
    std::vector<GLuint> numbers(static_cast<std::size_t>(bytes) / sizeof(GLuint));
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(light, 0, bytes, numbers.data());
    numbers = totals_of(ranks, numbers);
    GlBuffer upload{static_cast<std::size_t>(bytes), GL_DYNAMIC_STORAGE_BIT};
    upload.write(numbers.data(), upload.bytes());
    glCopyNamedBufferSubData(upload.name(), light, 0, 0, bytes);
}

}  // namespace

void PointsPass::resize(int width, int height, LightChannels channels) {
    light_ = Canvas{light_format(channels), width, height, Filter::kNearest};
}

void PointsPass::add_light(const SharedBuffer& bodies, GLuint bands, int copies) {
    light_.clear();
    if (bodies.count() > 0) {
        const AdditiveDrawing adding{light_};
        glEnable(GL_PROGRAM_POINT_SIZE);
        bodies_.read_vec4(0, bodies.name());
        bodies_.read_float(1, bodies.masses());
        if (bands != 0) bodies_.read_vec4(2, bands);
        glBindVertexArray(bodies_.name());
        if (bands != 0 && !add_bands_) add_bands_ = GlProgram({"points.vert", "points.frag"}, {}, "BANDS");
        (bands != 0 ? *add_bands_ : add_).use();
        glDrawArraysInstanced(GL_POINTS, 0, static_cast<GLsizei>(bodies.count()), copies);
        glDisable(GL_PROGRAM_POINT_SIZE);
    }
    if (Ranks* const ranks = owners()) add_up(*ranks, light_.texture());
}

bool LightBuffer::resize(std::size_t texels, LightChannels channels) {
    const bool four = channels != LightChannels::kIntensityAndPosition;
    // Rounded up to quadruples, which zero.comp writes.
    const std::size_t bytes = (texels * (four ? 4 : 2) + 3) / 4 * 4 * sizeof(GLuint);
    numbers_ = GlBuffer{};
    if (bytes > largest_storage_block()) return false;
    numbers_ = GlBuffer{bytes, 0};
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_BUFFER, 1, &name);
    texels_ = GlName<TextureKind>{name};
    glTextureBuffer(name, four ? GLenum{GL_RGBA32UI} : GLenum{GL_RG32UI}, numbers_.name());
    return true;
}

void LightBuffer::clear() const {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, numbers_.name());
    if (software_) {
        constexpr GLuint kZero = 0;
        glClearNamedBufferData(numbers_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &kZero);
        return;
    }
    zero_.use();
    glDispatchCompute(static_cast<GLuint>((numbers_.bytes() + kZeroedByGroup - 1) / kZeroedByGroup), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

bool SmoothPass::resize(int width, int height, LightChannels channels) {
    levels_.clear(), canvases_.clear();
    std::size_t texels = 0;
    for (int level = 0; level < kMostLevels; ++level) {
        const int side = 1 << level;
        if (level >= 2 && 2 * side > std::max(width, height)) break;
        const int across = (width + side - 1) / side + 2 * kMargin, up = (height + side - 1) / side + 2 * kMargin;
        levels_.push_back({static_cast<GLint>(texels), across, up});
        texels += static_cast<std::size_t>(across) * static_cast<std::size_t>(up);
    }
    if (!light_.resize(texels, channels)) return false;
    const GLenum format = channels == LightChannels::kIntensityAndPosition ? GLenum{GL_RG32F} : GLenum{GL_RGBA32F};
    canvases_.emplace_back(format, width, height, Filter::kNearest);
    for (std::size_t i = 1; i < levels_.size(); ++i)
        canvases_.emplace_back(format, levels_[i].width, levels_[i].height, Filter::kLinear);
    return true;
}

const GlProgram& SmoothPass::spread(const SmoothKernels& kernels, bool in_order) {
    std::string defined;
    if (kernels.light.name != 0) defined += "BANDS ";
    if (kernels.lengths.name != 0) defined += "LENGTHS ";
    if (kernels.slices != 0) defined += "SLICES ";
    const std::string_view file = in_order ? "smooth_tiles.comp" : "smooth.comp";
    const auto [found, is_new] = programs_.try_emplace(std::string{file} + " " + defined);
    if (is_new) found->second = GlProgram({file}, {}, defined);
    return found->second;
}

void SmoothPass::add_light(const SharedBuffer& bodies, const SmoothKernels& kernels, const Sight& sight, GlBuffer& view,
                           Sweep sweep) {
    light_.clear();
    const BodyWidths& widths = kernels.widths;
    const std::size_t range = items_of_binding(sizeof(Vec4f), kTilesGroup);
    const bool in_order = widths.order != 0 && bodies.count() <= range;
    const GlProgram& program = spread(kernels, in_order);
    program.use();
    glProgramUniform2f(program.name(), 0, static_cast<float>(sight.pixels_per_length),
                       static_cast<float>(kSigmaOfWidth));
    std::array<GLint, 3 * kMostLevels> shapes{};
    for (std::size_t i = 0; i < levels_.size(); ++i)
        shapes[3 * i] = levels_[i].first, shapes[3 * i + 1] = levels_[i].width, shapes[3 * i + 2] = levels_[i].height;
    glProgramUniform3iv(program.name(), kShapes, kMostLevels, shapes.data());
    glProgramUniform1i(program.name(), kLevels, static_cast<GLint>(levels_.size()));
    if (kernels.lengths.name != 0) glProgramUniform1f(program.name(), kSupport, kernels.lengths.support);
    if (kernels.slices != 0) {
        glProgramUniform1i(program.name(), kSlice, kernels.slice);
        glProgramUniform2f(program.name(), kDepths, kernels.target, kDepthScale);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 7, kernels.slices);
    }
    for_each_range(bodies, range, view, [&](std::size_t first, std::size_t count) {
        bind_storage_range(2, widths.distances, first, count, sizeof(float));
        if (in_order) bind_storage_range(4, widths.order, first, count, sizeof(GLuint));
        if (kernels.light.name != 0) bind_storage_range(5, kernels.light.name, first, count, sizeof(Vec4f));
        if (kernels.lengths.name != 0) bind_storage_range(6, kernels.lengths.name, first, count, sizeof(float));
        dispatch_rows(count, in_order ? kTilesGroup : kSpreadGroup);
    });
    if (!gather_) gather_.emplace("smooth.glsl", sweep);
    light_.bind_texels();
    for (std::size_t i = levels_.size(); i-- > 0;) {
        const bool coarser = i + 1 < levels_.size();
        if (coarser) canvases_[i + 1].texture().bind(1);
        glProgramUniform4i(gather_->program(), 0, levels_[i].first, levels_[i].width, coarser ? 1 : 0,
                           i == 0 ? kMargin : 0);
        gather_->run(canvases_[i]);
    }
}

SplatPass::SplatPass(bool software)
    : file_{!software && adds_pairs() ? "splat_pairs.comp" : "splat.comp"},
      add_{file_},
      light_{software},
      range_{items_of_binding(sizeof(Vec4f), kSplatGroup)} {}

bool SplatPass::resize(int width, int height, LightChannels channels) {
    return light_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), channels);
}

double SplatPass::fixed_scale(std::size_t bodies, double light) {
    constexpr double kFull = 4294967295.0;
    const double each = kFull / static_cast<double>(std::max<std::size_t>(bodies, 1)) - 1;  // 1: margin for rounding up
    return std::clamp(each / light, 1.0 / light, 1048576.0 / std::max(light, 1.0));
}

void SplatPass::add_light(const SharedBuffer& bodies, GLuint bands, GlBuffer& view) {
    light_.clear();
    if (bands != 0 && !add_bands_) add_bands_ = GlProgram({file_}, {}, "BANDS");
    (bands != 0 ? *add_bands_ : add_).use();
    for_each_range(bodies, range_, view, [&](std::size_t first, std::size_t count) {
        if (bands != 0) bind_storage_range(5, bands, first, count, sizeof(Vec4f));
        dispatch_rows(count, kSplatGroup);
    });
    if (Ranks* const ranks = owners()) add_up_bound_light(*ranks);
}

BodyLight::BodyLight(bool software, Sweep sweep) : splat_{software}, software_{software}, sweep_{sweep} {}
BodyLight::BodyLight(BodyLight&&) noexcept = default;
BodyLight& BodyLight::operator=(BodyLight&&) noexcept = default;
BodyLight::~BodyLight() = default;

void BodyLight::resize(int width, int height, LightChannels channels) {
    if (width == width_ && height == height_ && channels == channels_) return;
    points_.resize(width, height, channels);
    splat_fits_ = splat_.resize(width, height, channels);
    if (smooth_) smooth_fits_ = smooth_->resize(width, height, channels);
    width_ = width, height_ = height, channels_ = channels;
}

/// Large bodies cover an area, which `splat` does not draw: the larger they are, the more of them are sprites.
DrawMode BodyLight::choose(DrawMode wish, std::size_t bodies, float size) const {
    if (wish == DrawMode::kAuto) {
        const double few = static_cast<double>(software_ ? kFewBodies : kFewBodiesOfHardware) *
                           std::clamp(static_cast<double>(size), 1.0, kMostLarger);
        wish = static_cast<double>(bodies) < few || !splat_fits_ ? DrawMode::kPoints : DrawMode::kSplat;
    }
    if (wish == DrawMode::kSplat && !splat_fits_) {
        environment_error(fmt::format("a frame of {} x {} pixels is too large for this driver's `splat`; use `points`",
                                      width_, height_));
    }
    return wish;
}

void BodyLight::choose(const SharedBuffer& bodies, const ViewSettings& settings) {
    const bool smoothed = settings.mode == DrawMode::kSmoothed;
    kernels_ = {};
    if (OpticsBuffers::shown(bodies, settings)) kernels_.light = optics_.light(bodies);
    const bool absorbs = channels_ == LightChannels::kBands && kernels_.light.mean_dust > 0;
    dust_strength_ = absorbs ? static_cast<double>(settings.dust) : 0;
    if (smoothed && bodies.count() > 0) {
        if (settings.smoothing_lengths) kernels_.lengths = optics_.lengths(bodies);
        kernels_.widths = kernels_.lengths.complete ? BodyWidths{.distances = kernels_.lengths.name}
                                                    : bodies.widths(settings.neighbours, patient_);
    }
    if (!smoothed || kernels_.widths.distances == 0) {
        mode_ = choose(smoothed ? DrawMode::kAuto : settings.mode, bodies.all_bodies(), settings.size);
        return;
    }
    if (!smooth_) smooth_.emplace(software_), smooth_fits_ = smooth_->resize(width_, height_, channels_);
    if (!smooth_fits_)
        environment_error(fmt::format(
            "a frame of {} x {} pixels is too large for this driver's `smoothed`; use `points`", width_, height_));
    mode_ = DrawMode::kSmoothed;
}

void BodyLight::add_light(const SharedBuffer& bodies, const Sight& sight, GlBuffer& view) {
    if (mode_ == DrawMode::kPoints) {
        points_.add_light(bodies, kernels_.light.name, sight.copies);
    } else if (mode_ != DrawMode::kSmoothed) {
        splat_.add_light(bodies, kernels_.light.name, view);
    } else if (dust_strength_ > 0) {
        if (!dust_) dust_ = std::make_unique<DustPass>(sweep_);
        dust_->resize(width_, height_);
        dust_->add_light(*smooth_, bodies, kernels_, sight, dust_strength_, view, sweep_);
    } else {
        smooth_->add_light(bodies, kernels_, sight, view, sweep_);
    }
    bind_light();
}

void BodyLight::bind_light() const {
    if (mean_) return mean_->bind(0);
    if (mode_ == DrawMode::kPoints) return points_.bind_light();
    if (mode_ != DrawMode::kSmoothed) return splat_.bind_light();
    dust_strength_ > 0 ? dust_->bind_light() : smooth_->bind_light();
}

}  // namespace orrery
