// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <string_view>

#include "app/render/gl/objects.hpp"

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

/// Runs the current compute shader for this many items. The work groups of `group` items form rows, because GL
/// guarantees only 65535 groups in each dimension; the last row may contain empty groups.
void dispatch_rows(std::size_t items, std::size_t group);

/// The driver's largest shader buffer binding in bytes.
std::size_t largest_storage_block();
/// The largest number of items of `each` bytes in one binding: a multiple of `group`, so that every range of a buffer
/// starts at an offset that drivers accept (256 bytes at most).
std::size_t items_of_binding(std::size_t each, std::size_t group);
/// Binds items [first, first + count) of a buffer to a shader storage binding.
void bind_storage_range(GLuint binding, GLuint buffer, std::size_t first, std::size_t count, std::size_t each);

}  // namespace orrery
