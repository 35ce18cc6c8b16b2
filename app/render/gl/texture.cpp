// SPDX-License-Identifier: MIT
#include "app/render/gl/texture.hpp"

#include <fmt/format.h>

#include "app/render/gl/check.hpp"

namespace orrery {

GlTexture::GlTexture(GLenum format, int width, int height, Filter filter) : width_{width}, height_{height} {
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_2D, 1, &name);
    name_ = GlName<Kind>{name};
    clear_gl_errors();
    glTextureStorage2D(name, 1, format, width, height);
    check_gl(fmt::format("a texture of {} x {} pixels, format {:#x}", width, height, format));
    const GLint sampling = filter == Filter::kLinear ? GL_LINEAR : GL_NEAREST;
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, sampling);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, sampling);
    glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

}  // namespace orrery
