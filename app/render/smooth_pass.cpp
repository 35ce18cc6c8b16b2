// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "app/render/passes.hpp"
#include "app/render/view_uniforms.hpp"

namespace orrery {
namespace {

constexpr int kSpreadGroup = 256;           // bodies per work group of smooth.comp
constexpr int kTilesGroup = 2048;           // bodies per work group of smooth_tiles.comp
constexpr int kMargin = 2;                  // as in smooth.comp and smooth.glsl
constexpr std::size_t kMostInRow = 32768;   // groups
constexpr GLint kShapes = 1, kLevels = 11;  // locations of uniforms

std::size_t largest_block() {
    GLint64 largest = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &largest);
    return static_cast<std::size_t>(largest);
}

}  // namespace

SmoothPass::SmoothPass(bool software) : spread_{"smooth.comp"}, zero_{"zero.comp"}, software_{software} {}

bool SmoothPass::resize(int width, int height, LightChannels channels) {
    const bool colors = four_numbers(channels);
    const std::size_t numbers = colors ? 4 : 2;
    levels_.clear();
    std::size_t texels = 0;
    for (int level = 0; level < kMostLevels; ++level) {
        const int side = 1 << level;
        if (level >= 2 && 2 * side > std::max(width, height)) break;
        const int across = (width + side - 1) / side + 2 * kMargin, up = (height + side - 1) / side + 2 * kMargin;
        levels_.push_back({static_cast<GLint>(texels), across, up});
        texels += static_cast<std::size_t>(across) * static_cast<std::size_t>(up);
    }
    const std::size_t bytes = (texels * numbers + 3) / 4 * 4 * sizeof(GLuint);
    light_ = GlBuffer{}, canvases_.clear();
    if (bytes > largest_block()) return false;
    light_ = GlBuffer{bytes, 0};
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_BUFFER, 1, &name);
    texels_ = GlName<Texels>{name};
    glTextureBuffer(name, colors ? GLenum{GL_RGBA32UI} : GLenum{GL_RG32UI}, light_.name());
    const GLenum format = colors ? GLenum{GL_RGBA32F} : GLenum{GL_RG32F};
    canvases_.emplace_back(format, width, height, Filter::kNearest);
    for (std::size_t i = 1; i < levels_.size(); ++i)
        canvases_.emplace_back(format, levels_[i].width, levels_[i].height, Filter::kLinear);
    return true;
}

void SmoothPass::add_light(const SharedBuffer& bodies, BodyWidths widths, double pixels_per_length, GlBuffer& view,
                           Sweep sweep) {
    clear_light(light_, zero_, software_);
    const std::size_t range =
        std::min<std::size_t>(largest_block() / sizeof(Vec4f), std::size_t{1} << 30) / kTilesGroup * kTilesGroup;
    const bool in_order = widths.order != 0 && bodies.count() <= range;
    if (in_order && !tiles_) tiles_ = GlProgram{"smooth_tiles.comp"};
    const GlProgram& spread = in_order ? *tiles_ : spread_;
    const std::size_t of_group = in_order ? kTilesGroup : kSpreadGroup;
    spread.use();
    glProgramUniform2f(spread.name(), 0, static_cast<float>(pixels_per_length), static_cast<float>(kSigmaOfWidth));
    std::array<GLint, 3 * kMostLevels> shapes{};
    for (std::size_t i = 0; i < levels_.size(); ++i)
        shapes[3 * i] = levels_[i].first, shapes[3 * i + 1] = levels_[i].width, shapes[3 * i + 2] = levels_[i].height;
    glProgramUniform3iv(spread.name(), kShapes, kMostLevels, shapes.data());
    glProgramUniform1i(spread.name(), kLevels, static_cast<GLint>(levels_.size()));
    for (std::size_t first = 0; first < bodies.count(); first += range) {
        const std::size_t count = std::min(range, bodies.count() - first);
        const auto vertices = static_cast<GLint>(count);
        view.write(&vertices, sizeof vertices, offsetof(ViewUniforms, vertices));
        const auto bind = [&](GLuint at, GLuint buffer, std::size_t size) {
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, at, buffer, static_cast<GLintptr>(first * size),
                              static_cast<GLsizeiptr>(count * size));
        };
        bind(0, bodies.name(), sizeof(Vec4f));
        bind(2, widths.distances, sizeof(float));
        if (bodies.masses() != 0) bind(3, bodies.masses(), sizeof(float));
        if (in_order) bind(4, widths.order, sizeof(GLuint));
        const std::size_t groups = (count + of_group - 1) / of_group, rows = (groups + kMostInRow - 1) / kMostInRow;
        glDispatchCompute(static_cast<GLuint>((groups + rows - 1) / rows), static_cast<GLuint>(rows), 1);
    }
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    if (!gather_) gather_.emplace("smooth.glsl", sweep);
    glBindTextureUnit(0, texels_.get());
    for (std::size_t i = levels_.size(); i-- > 0;) {
        const bool coarser = i + 1 < levels_.size();
        if (coarser) canvases_[i + 1].texture().bind(1);
        glProgramUniform4i(gather_->program(), 0, levels_[i].first, levels_[i].width, coarser ? 1 : 0,
                           i == 0 ? kMargin : 0);
        gather_->run(canvases_[i]);
    }
}

}  // namespace orrery
