// SPDX-License-Identifier: MIT
#include "app/render/stars_pass.hpp"

#include <algorithm>
#include <cmath>

#include "app/render/sky.hpp"

namespace orrery {
namespace {

constexpr double kRows = 720;                      // frame height to which the next two refer
constexpr double kSigma = 0.6, kLeastSigma = 0.5;  // of a star's disc, in pixels
constexpr double kBrightest = 0.6;                 // light of the brightest star over that of a body, chosen by eye

}  // namespace

void StarsPass::load(int seed) {
    if (seed_ == seed) return;
    const auto stars = sky(static_cast<std::uint64_t>(seed));
    const std::size_t bytes = stars.size() * sizeof(Star);
    if (stars_.bytes() != bytes) stars_ = GlBuffer{bytes, GL_DYNAMIC_STORAGE_BIT};
    stars_.write(stars.data(), bytes);
    seed_ = seed;
}

void StarsPass::add_light(const StarView& view, int width, int height) {
    load(std::clamp(view.seed, 0, StarView::kMostSeed));
    if (light_.width() != width || light_.height() != height) {
        framebuffer_ = GlFramebuffer{};
        light_ = GlTexture{GL_RGBA16F, width, height, Filter::kNearest};
        framebuffer_ = GlFramebuffer{light_};
    }
    constexpr GLfloat kBlack[4] = {0, 0, 0, 0};
    glClearNamedFramebufferfv(framebuffer_.name(), GL_COLOR, 0, kBlack);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glViewport(0, 0, width, height);
    glBindVertexArray(nothing_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, stars_.name());
    const double scale = height / kRows;
    glProgramUniform2f(add_.name(), 0, static_cast<float>(std::max(kLeastSigma, kSigma * scale)),
                       static_cast<float>(kBrightest * std::clamp(view.light, 0.0f, 4.0f) * scale * scale));
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    add_.use();
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(kSkyStars));
    glDisable(GL_BLEND);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

}  // namespace orrery
