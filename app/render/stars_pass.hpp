// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "app/render/gl/buffer.hpp"
#include "app/render/gl/framebuffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"
#include "app/render/gl/vertex_array.hpp"
#include "app/render/view_settings.hpp"

namespace orrery {

/// The sky behind the bodies: a light map of the stars, in units of a body's light. Stars do not affect the automatic
/// exposure. They have the same angular size and contribute the same light at any resolution.
class StarsPass {
public:
    StarsPass() : add_{"stars.vert", "stars.frag"} {}
    /// Needs the uniform block View bound. Changes the framebuffer and leaves blending disabled.
    void add_light(const StarView& view, int width, int height);
    void bind_light() const { light_.bind(3); }  ///< for star_light.glsl

private:
    void load(int seed);

    GlProgram add_;
    GlVertexArray nothing_;
    GlBuffer stars_;
    std::optional<int> seed_;  // of the stars in the buffer
    GlTexture light_;
    GlFramebuffer framebuffer_;
};

}  // namespace orrery
