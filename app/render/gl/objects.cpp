// SPDX-License-Identifier: MIT
#include "app/render/gl/objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/base/error.hpp"

namespace orrery {
namespace {

/// Clears errors of earlier commands, so that check_gl() does not report them.
void clear_gl_errors() {
    // Bounded, because a lost context reports errors endlessly.
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {
    }
}

std::string text_of(GLenum error) {
    switch (error) {
        case GL_OUT_OF_MEMORY:
            return "out of memory";
        case GL_INVALID_VALUE:
            return "invalid value";
        case GL_INVALID_ENUM:
            return "invalid enumerator";
        case GL_INVALID_OPERATION:
            return "invalid operation";
        default:
            return fmt::format("error {:#x}", error);
    }
}

/// Throws "OpenGL refused WHAT: out of memory" if an error is pending. May wait for the driver.
void check_gl(const std::string& what) {
    if (const GLenum error = glGetError(); error != GL_NO_ERROR) {
        environment_error(fmt::format("OpenGL refused {}: {}", what, text_of(error)));
    }
}

}  // namespace

GlBuffer::GlBuffer(std::size_t bytes, GLbitfield flags) : bytes_{std::max<std::size_t>(bytes, 16)} {
    GLuint name = 0;
    glCreateBuffers(1, &name);
    name_ = GlName<Kind>{name};
    clear_gl_errors();
    glNamedBufferStorage(name, static_cast<GLsizeiptr>(bytes_), nullptr, flags);
    check_gl(fmt::format("a buffer of {} bytes", bytes_));
}

void GlBuffer::write(const void* data, std::size_t bytes, std::size_t offset) {
    glNamedBufferSubData(name(), static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(bytes), data);
}

GlTexture::GlTexture(GLenum format, int width, int height, Filter filter) : width_{width}, height_{height} {
    GLuint name = 0;
    glCreateTextures(GL_TEXTURE_2D, 1, &name);
    name_ = GlName<TextureKind>{name};
    clear_gl_errors();
    glTextureStorage2D(name, 1, format, width, height);
    check_gl(fmt::format("a texture of {} x {} pixels, format {:#x}", width, height, format));
    const GLint sampling = filter == Filter::kLinear ? GL_LINEAR : GL_NEAREST;
    glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, sampling);
    glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, sampling);
    glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

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

GlVertexArray::GlVertexArray() {
    GLuint name = 0;
    glCreateVertexArrays(1, &name);
    name_ = GlName<Kind>{name};
}

void GlVertexArray::read_vec4(GLuint location, GLuint buffer) {
    constexpr GLsizei kStride = 4 * sizeof(float);
    glVertexArrayVertexBuffer(name(), location, buffer, 0, kStride);
    glEnableVertexArrayAttrib(name(), location);
    glVertexArrayAttribFormat(name(), location, 4, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(name(), location, location);
}

void GlVertexArray::read_float(GLuint location, GLuint buffer) {
    if (buffer == 0) {
        glDisableVertexArrayAttrib(name(), location);
        return glVertexAttrib1f(location, 1);  // state of the context, not of the vertex array
    }
    glVertexArrayVertexBuffer(name(), location, buffer, 0, sizeof(float));
    glVertexArrayAttribFormat(name(), location, 1, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(name(), location, location);
    glEnableVertexArrayAttrib(name(), location);
}

GlTimer::GlTimer() {
    for (Slot& slot : slots_) {
        GLuint name = 0;
        glCreateQueries(GL_TIME_ELAPSED, 1, &name);
        slot.query = GlName<Kind>{name};
    }
}

void GlTimer::begin() {
    Slot& slot = slots_[next_];
    if (slot.pending) {
        GLint available = 0;
        glGetQueryObjectiv(slot.query.get(), GL_QUERY_RESULT_AVAILABLE, &available);
        if (available == 0) return;  // four frames behind: skip this measurement instead of waiting
        GLuint64 nanoseconds = 0;
        glGetQueryObjectui64v(slot.query.get(), GL_QUERY_RESULT, &nanoseconds);
        milliseconds_ = static_cast<double>(nanoseconds) * 1e-6;
        slot.pending = false;
    }
    glBeginQuery(GL_TIME_ELAPSED, slot.query.get());
    running_ = true;
}

void GlTimer::end() {
    if (!running_) return;
    glEndQuery(GL_TIME_ELAPSED);
    slots_[next_].pending = true;
    next_ = (next_ + 1) % slots_.size();
    running_ = false;
}

}  // namespace orrery
