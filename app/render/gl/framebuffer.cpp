// SPDX-License-Identifier: MIT
#include "app/render/gl/framebuffer.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace orrery {

GlFramebuffer::GlFramebuffer(const GlTexture& color) {
    GLuint name = 0;
    glCreateFramebuffers(1, &name);
    name_ = GlName<Kind>{name};
    glNamedFramebufferTexture(name, GL_COLOR_ATTACHMENT0, color.name(), 0);
    const GLenum status = glCheckNamedFramebufferStatus(name, GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        environment_error(fmt::format("OpenGL cannot draw into a texture of {} x {} pixels: framebuffer status {:#x}",
                                      color.width(), color.height(), status));
    }
}

}  // namespace orrery
