// SPDX-License-Identifier: MIT
#include "app/render/gl/buffer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/render/gl/check.hpp"

namespace orrery {

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

}  // namespace orrery
