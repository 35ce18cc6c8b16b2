// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "app/render/gl/name.hpp"

namespace orrery {

/// Owns a buffer of fixed size. A default-constructed one owns nothing; its name is 0.
class GlBuffer {
public:
    GlBuffer() = default;
    /// `flags` as for glNamedBufferStorage; contents undefined. Throws Error{kEnvironment} with the size if out of
    /// memory.
    GlBuffer(std::size_t bytes, GLbitfield flags);

    GLuint name() const noexcept { return name_.get(); }
    std::size_t bytes() const noexcept { return name() != 0 ? bytes_ : 0; }
    /// Requires GL_DYNAMIC_STORAGE_BIT.
    void write(const void* data, std::size_t bytes, std::size_t offset = 0);

private:
    struct Kind {
        static void destroy(GLuint name) { glDeleteBuffers(1, &name); }
    };
    GlName<Kind> name_;
    std::size_t bytes_ = 0;
};

}  // namespace orrery
