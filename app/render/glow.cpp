// SPDX-License-Identifier: MIT
#include "app/render/glow.hpp"

#include <algorithm>

namespace orrery {

Glow::Glow() : shrink_{"screen.vert", "shrink.frag"}, blur_{"screen.vert", "blur.frag"} {}

void Glow::Level::resize(int width, int height, With with) {
    for (int i = 0; i < 2; ++i) {
        framebuffers[i] = GlFramebuffer{};
        textures[i] = GlTexture{light_format(with), std::max(width, 1), std::max(height, 1), Filter::kLinear};
        framebuffers[i] = GlFramebuffer{textures[i]};
    }
}

void Glow::resize(int width, int height, With with) {
    near_.resize((width + 3) / 4, (height + 3) / 4, with);
    far_.resize((width + 15) / 16, (height + 15) / 16, with);
}

static void draw_into(GLuint framebuffer, const GlTexture& into) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, into.width(), into.height());
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Glow::blur(const Level& level, float wider_share) const {
    blur_.use();
    far_.textures[0].bind(1);
    for (int i = 0; i < 2; ++i) {
        const GlTexture& from = level.textures[i];
        const float x = i == 0 ? 1.0f / static_cast<float>(from.width()) : 0.0f;
        const float y = i == 1 ? 1.0f / static_cast<float>(from.height()) : 0.0f;
        glProgramUniform2f(blur_.name(), 0, x, y);
        glProgramUniform1f(blur_.name(), 1, i == 1 ? wider_share : 0.0f);
        from.bind(0);
        draw_into(level.framebuffers[1 - i].name(), level.textures[1 - i]);
    }
}

void Glow::run(const GlProgram& shrink_light) {
    shrink_light.use();
    draw_into(near_.framebuffers[0].name(), near_.textures[0]);
    shrink_.use();
    near_.textures[0].bind(0);
    draw_into(far_.framebuffers[0].name(), far_.textures[0]);
    blur(far_, 0);
    blur(near_, 0.35f);
}

}  // namespace orrery
