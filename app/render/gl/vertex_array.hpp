// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/gl/name.hpp"

namespace orrery {

/// Owns a vertex array object. Core GL requires one to draw, even if no attribute is read.
class GlVertexArray {
public:
    GlVertexArray();
    GLuint name() const noexcept { return name_.get(); }
    /// Attribute `location` is a vec4 read from tightly packed memory of `buffer`.
    void read_vec4(GLuint location, GLuint buffer);
    /// Attribute `location` is a float read from tightly packed memory; without a buffer (0) it is 1.
    void read_float(GLuint location, GLuint buffer);

private:
    struct Kind {
        static void destroy(GLuint name) { glDeleteVertexArrays(1, &name); }
    };
    GlName<Kind> name_;
};

}  // namespace orrery
