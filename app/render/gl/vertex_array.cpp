// SPDX-License-Identifier: MIT
#include "app/render/gl/vertex_array.hpp"

namespace orrery {

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

}  // namespace orrery
