// SPDX-License-Identifier: MIT
#include "app/render/screen_pass.hpp"

namespace orrery {
namespace {

constexpr int kGroupWidth = 16, kGroupHeight = 8;  // local_size of screen.comp

GlProgram program_of(std::string_view shade, Sweep sweep, std::string_view defined) {
    if (sweep == Sweep::kCompute) return GlProgram({"screen.comp"}, shade, defined);
    return GlProgram({"screen.vert", "screen.frag"}, shade, defined);
}

}  // namespace

Canvas::Canvas(GLenum format, int width, int height, Filter filter)
    : format_{format}, texture_{format, width, height, filter}, framebuffer_{texture_} {}

void Canvas::clear() const {
    constexpr GLfloat kBlack[4] = {0, 0, 0, 0};
    glClearNamedFramebufferfv(framebuffer(), GL_COLOR, 0, kBlack);
}

AdditiveDrawing::AdditiveDrawing(const Canvas& into) {
    glBindFramebuffer(GL_FRAMEBUFFER, into.framebuffer());
    glViewport(0, 0, into.width(), into.height());
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
}

ScreenPass::ScreenPass(std::string_view shade, Sweep sweep, std::string_view defined)
    : sweep_{sweep}, program_{program_of(shade, sweep, defined)} {}

void ScreenPass::run(const Canvas& into) const {
    program_.use();
    if (sweep_ == Sweep::kCompute) {
        glBindImageTexture(0, into.texture().name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, into.format_);
        glDispatchCompute(work_groups(into.width(), kGroupWidth), work_groups(into.height(), kGroupHeight), 1);
        glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT | GL_PIXEL_BUFFER_BARRIER_BIT);
        return;
    }
    glBindVertexArray(nothing_.name());
    glBindFramebuffer(GL_FRAMEBUFFER, into.framebuffer());
    glViewport(0, 0, into.width(), into.height());
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace orrery
