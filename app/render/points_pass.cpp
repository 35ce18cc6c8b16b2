// SPDX-License-Identifier: MIT
#include "app/render/passes.hpp"

namespace orrery {

PointsPass::PointsPass() : add_{"points.vert", "points.frag"} {}

void PointsPass::resize(int width, int height, LightChannels channels) {
    framebuffer_ = GlFramebuffer{};
    light_ = GlTexture{light_format(channels), width, height, Filter::kNearest};
    framebuffer_ = GlFramebuffer{light_};
}

void PointsPass::add_light(const SharedBuffer& bodies) {
    constexpr GLfloat kBlack[4] = {0, 0, 0, 0};
    glClearNamedFramebufferfv(framebuffer_.name(), GL_COLOR, 0, kBlack);
    if (bodies.count() == 0) return;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glViewport(0, 0, light_.width(), light_.height());
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    bodies_.read_vec4(0, bodies.name());
    bodies_.read_float(1, bodies.masses());
    glBindVertexArray(bodies_.name());
    add_.use();
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(bodies.count()));
    glDisable(GL_BLEND);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

void PointsPass::bind_light() const { light_.bind(0); }

}  // namespace orrery
