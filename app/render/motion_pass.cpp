// SPDX-License-Identifier: MIT
#include "app/render/motion_pass.hpp"

#include <algorithm>

#include <glm/gtc/type_ptr.hpp>

namespace orrery {

void MotionPass::resize(int width, int height) {
    if (map_.width() == width && map_.height() == height) return;
    map_ = Canvas{GL_RG32F, width, height, Filter::kNearest};
    GLuint name = 0;
    glCreateRenderbuffers(1, &name);
    depth_ = GlName<DepthKind>{name};
    glNamedRenderbufferStorage(name, GL_DEPTH_COMPONENT32F, width, height);
    glNamedFramebufferRenderbuffer(map_.framebuffer(), GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, name);
}

std::vector<float> MotionPass::read(const SharedBuffer& bodies, const OrbitCamera& camera, const Next& next,
                                    const Shape& shape) {
    resize(shape.width, shape.height);
    map_.clear();
    constexpr GLfloat kFar = 1;
    glClearNamedFramebufferfv(map_.framebuffer(), GL_DEPTH, 0, &kFar);
    if (bodies.count() > 0) {
        const double aspect = static_cast<double>(shape.width) / shape.height;
        const glm::mat4 clip{next.camera.projection(aspect) * next.camera.view()}, eye{next.camera.view()};
        const double sigma = shape.widths != 0 ? shape.pixels_per_length * SmoothPass::kSigmaOfWidth : 0;
        glProgramUniformMatrix4fv(draw_.name(), 0, 1, GL_FALSE, glm::value_ptr(clip));
        glProgramUniformMatrix4fv(draw_.name(), 1, 1, GL_FALSE, glm::value_ptr(eye));
        glProgramUniform2f(draw_.name(), 2, static_cast<float>(shape.width), static_cast<float>(shape.height));
        glProgramUniform3f(draw_.name(), 3, static_cast<float>(sigma), shape.sprites ? 1.0f : 0.0f,
                           static_cast<float>(1 / shape.shrink));
        glProgramUniform1f(draw_.name(), 4, static_cast<float>(camera.pose().distance));
        bodies_.read_vec4(0, bodies.name());
        bodies_.read_vec4(1, next.bodies.name());
        bodies_.read_float(2, bodies.masses());
        bodies_.read_float(3, shape.widths);
        glBindFramebuffer(GL_FRAMEBUFFER, map_.framebuffer());
        glViewport(0, 0, shape.width, shape.height);
        glEnable(GL_DEPTH_TEST), glEnable(GL_PROGRAM_POINT_SIZE);
        glBindVertexArray(bodies_.name());
        draw_.use();
        glDrawArraysInstanced(GL_POINTS, 0, static_cast<GLsizei>(bodies.count()), shape.copies);
        glDisable(GL_PROGRAM_POINT_SIZE), glDisable(GL_DEPTH_TEST);
    }
    const auto row = static_cast<std::size_t>(shape.width) * 2, rows = static_cast<std::size_t>(shape.height);
    std::vector<float> ways(row * rows);
    glGetTextureImage(map_.texture().name(), 0, GL_RG, GL_FLOAT, static_cast<GLsizei>(ways.size() * sizeof(float)),
                      ways.data());
    for (std::size_t top = 0; 2 * top + 1 < rows; ++top)  // GL counts rows from the bottom
        std::swap_ranges(ways.begin() + static_cast<std::ptrdiff_t>(top * row),
                         ways.begin() + static_cast<std::ptrdiff_t>((top + 1) * row),
                         ways.begin() + static_cast<std::ptrdiff_t>((rows - 1 - top) * row));
    return ways;
}

}  // namespace orrery
