// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/gl/name.hpp"

namespace orrery {

enum class Filter { kNearest, kLinear };

/// Owns a 2D texture with one level, clamped at its edges.
class GlTexture {
public:
    GlTexture() = default;
    /// Throws Error{kEnvironment} with size and format if GL fails.
    GlTexture(GLenum format, int width, int height, Filter filter);

    GLuint name() const noexcept { return name_.get(); }
    int width() const noexcept { return width_; }
    int height() const noexcept { return height_; }
    void bind(GLuint unit) const { glBindTextureUnit(unit, name()); }

private:
    struct Kind {
        static void destroy(GLuint name) { glDeleteTextures(1, &name); }
    };
    GlName<Kind> name_;
    int width_ = 0, height_ = 0;
};

}  // namespace orrery
