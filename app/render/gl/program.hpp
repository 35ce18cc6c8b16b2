// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <string_view>

#include "app/render/gl/name.hpp"

namespace orrery {

/// Owns a linked program of files in shaders/; the stage of each follows from its extension: vert, frag, comp.
/// `#include "FILE"` is replaced by that file, once; `#include SHADE` by the file `shade`. The names in `defined`,
/// separated by spaces, are macros in all files.
class GlProgram {
public:
    GlProgram() = default;
    /// Throws Error{kEnvironment} with the shader's file, line and the driver's message.
    explicit GlProgram(std::initializer_list<std::string_view> files, std::string_view shade = {},
                       std::string_view defined = {});

    GLuint name() const noexcept { return name_.get(); }
    void use() const { glUseProgram(name()); }

private:
    struct Kind {
        static void destroy(GLuint name) { glDeleteProgram(name); }
    };
    GlName<Kind> name_;
};

/// Number of work groups of `side` threads that cover this number of pixels; the last one may be partial.
inline GLuint work_groups(int pixels, int side) { return static_cast<GLuint>((pixels + side - 1) / side); }

}  // namespace orrery
