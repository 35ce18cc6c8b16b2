// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/gl/name.hpp"
#include "app/render/gl/texture.hpp"

namespace orrery {

/// Owns a framebuffer with one colour texture, which it borrows.
class GlFramebuffer {
public:
    GlFramebuffer() = default;
    /// Throws Error{kEnvironment} if the driver cannot draw into the texture.
    explicit GlFramebuffer(const GlTexture& color);
    GLuint name() const noexcept { return name_.get(); }

private:
    struct Kind {
        static void destroy(GLuint name) { glDeleteFramebuffers(1, &name); }
    };
    GlName<Kind> name_;
};

}  // namespace orrery
