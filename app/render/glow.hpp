// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/gl/framebuffer.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/gl/texture.hpp"

namespace orrery {

/// Light scattered in the lens: the picture blurred at a quarter and at a sixteenth of its size.
class Glow {
public:
    Glow();
    void resize(int width, int height);
    /// Leaves the result in texture(), the viewport and framebuffer changed. `brightness` needs a linear filter.
    void run(const GlTexture& brightness);
    const GlTexture& texture() const noexcept { return near_.textures[0]; }

private:
    struct Level {
        GlTexture textures[2];  // blurred to and fro
        GlFramebuffer framebuffers[2];
        void resize(int width, int height);
    };
    void shrink(const GlTexture& from, const Level& into) const;
    void blur(const Level& level, float wider_share) const;

    GlProgram shrink_, blur_;
    Level near_, far_;
};

}  // namespace orrery
