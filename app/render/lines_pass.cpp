// SPDX-License-Identifier: MIT
#include "app/render/lines_pass.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace orrery {
namespace {

constexpr double kLineWidth = 1.1;    // pixels on a screen of scale 1
constexpr GLsizei kLineVertices = 6;  // two triangles per line

}  // namespace

float packed_look(std::uint32_t color, double weight) {
    const auto byte = static_cast<std::uint32_t>(std::lround(255 * std::clamp(weight, 0.0, 1.0)));
    return std::bit_cast<float>((color & 0xffffffu) | byte << 24);
}

LinesPass::LinesPass() : add_{"cells.vert", "cells.frag"}, finish_{"screen.vert", "cells_finish.frag"} {}

void LinesPass::load(std::span<const SceneLine> lines) {
    lines_ = lines.size();
    if (lines.size_bytes() > buffer_.bytes()) buffer_ = GlBuffer{2 * lines.size_bytes(), GL_DYNAMIC_STORAGE_BIT};
    if (lines_ > 0) buffer_.write(lines.data(), lines.size_bytes());
}

void LinesPass::draw(float opacity, const OrbitCamera& camera, int width, int height, double scale, GLuint target) {
    if (lines_ == 0) return;
    if (sum_.width() != width || sum_.height() != height) {
        framebuffer_ = GlFramebuffer{};
        sum_ = GlTexture{GL_RGBA16F, width, height, Filter::kNearest};
        framebuffer_ = GlFramebuffer{sum_};
    }
    constexpr GLfloat kBlack[4] = {0, 0, 0, 0};
    glClearNamedFramebufferfv(framebuffer_.name(), GL_COLOR, 0, kBlack);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glViewport(0, 0, width, height);
    glBindVertexArray(nothing_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, buffer_.name());
    glProgramUniform4f(add_.name(), 0, static_cast<float>(0.5 * kLineWidth * scale), opacity,
                       static_cast<float>(camera.pose().distance),
                       static_cast<float>(camera.pixels_per_length(1, height)));
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    add_.use();
    glDrawArraysInstanced(GL_TRIANGLES, 0, kLineVertices, static_cast<GLsizei>(lines_));
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_COLOR);
    sum_.bind(0);
    finish_.use();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
}

}  // namespace orrery
