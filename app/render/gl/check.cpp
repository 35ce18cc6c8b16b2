// SPDX-License-Identifier: MIT
#include "app/render/gl/check.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include "core/base/error.hpp"

namespace orrery {

void clear_gl_errors() {
    // Bounded, because a lost context reports errors endlessly.
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {
    }
}

static std::string words(GLenum error) {
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

void check_gl(const std::string& what) {
    if (const GLenum error = glGetError(); error != GL_NO_ERROR) {
        environment_error(fmt::format("OpenGL refused {}: {}", what, words(error)));
    }
}

}  // namespace orrery
