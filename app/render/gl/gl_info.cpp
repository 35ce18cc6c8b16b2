// SPDX-License-Identifier: MIT
#include "app/render/gl/gl_info.hpp"

#include <glad/gl.h>

#include "core/base/standard_streams.hpp"
#include "core/gl/egl.hpp"

namespace orrery {
namespace {

std::string text(GLenum what) {
    const auto* bytes = glGetString(what);
    return bytes ? reinterpret_cast<const char*>(bytes) : "unknown";
}

#ifndef NDEBUG
void GLAD_API_PTR print(GLenum, GLenum type, GLuint, GLenum severity, GLsizei, const char* message, const void*) {
    if (severity == GL_DEBUG_SEVERITY_NOTIFICATION || type == GL_DEBUG_TYPE_PERFORMANCE) return;
    to_stderr("OpenGL: {}\n", message);
}
#endif

}  // namespace

GlInfo query_gl_info() {
    GlInfo info{text(GL_VENDOR), text(GL_RENDERER), text(GL_VERSION)};
    info.software = is_software_renderer(info.renderer);
    return info;
}

void install_gl_debug_output() {
#ifndef NDEBUG
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(print, nullptr);
#endif
}

int gl_version_number() {
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    return major * 10 + minor;
}

}  // namespace orrery
