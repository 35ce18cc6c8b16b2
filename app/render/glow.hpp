// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/gl/framebuffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"
#include "app/render/passes.hpp"

namespace orrery {

/// Light scattered in the lens: the light blurred at a quarter and at a sixteenth of the picture's size. It joins
/// bodies into the haze that they would be to an eye farther away.
class Glow {
public:
    Glow();
    void resize(int width, int height, With with);
    /// `shrink_light` is shrink_points.frag or shrink_splat.frag with what it reads bound.
    /// Leaves the result in texture(), the viewport and framebuffer changed. Needs a vertex array bound.
    void run(const GlProgram& shrink_light);
    const GlTexture& texture() const noexcept { return near_.textures[0]; }

private:
    struct Level {
        GlTexture textures[2];  // blurred to and fro
        GlFramebuffer framebuffers[2];
        void resize(int width, int height, With with);
    };
    void blur(const Level& level, float wider_share) const;

    GlProgram shrink_, blur_;
    Level near_, far_;
};

}  // namespace orrery
