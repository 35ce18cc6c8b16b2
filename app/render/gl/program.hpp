// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <string_view>

#include "app/render/gl/name.hpp"

namespace orrery {

/// Owns a linked program made of files in shaders/; the stage of each follows from its extension: vert, frag, comp. A
/// line `#include "FILE"` in them is replaced by that file, once; `#include SHADE` by the file called `shade`. The
/// names in `defined`, with spaces between them, are macros in all of them.
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

/// Work groups of `side` threads that cover so many pixels, the last one in part.
inline GLuint work_groups(int pixels, int side) { return static_cast<GLuint>((pixels + side - 1) / side); }

}  // namespace orrery
