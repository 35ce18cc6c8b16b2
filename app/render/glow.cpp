// SPDX-License-Identifier: MIT
#include "app/render/glow.hpp"

#include <algorithm>

namespace orrery {

Glow::Glow(Sweep sweep) : shrink_{"shrink.glsl", sweep}, blur_{"blur.glsl", sweep} {}

void Glow::Level::resize(int width, int height, LightChannels channels) {
    for (Canvas& canvas : canvases)
        canvas = Canvas{light_format(channels), std::max(width, 1), std::max(height, 1), Filter::kLinear};
}

void Glow::resize(int width, int height, LightChannels channels) {
    near_.resize((width + 3) / 4, (height + 3) / 4, channels);
    far_.resize((width + 15) / 16, (height + 15) / 16, channels);
}

void Glow::blur(const Level& level, float wider_share) const {
    far_.canvases[0].texture().bind(1);
    for (int i = 0; i < 2; ++i) {
        const GlTexture& from = level.canvases[i].texture();
        const float x = i == 0 ? 1.0f / static_cast<float>(from.width()) : 0.0f;
        const float y = i == 1 ? 1.0f / static_cast<float>(from.height()) : 0.0f;
        glProgramUniform2f(blur_.program(), 0, x, y);
        glProgramUniform1f(blur_.program(), 1, i == 1 ? wider_share : 0.0f);
        from.bind(0);
        blur_.run(level.canvases[1 - i]);
    }
}

void Glow::run(const ScreenPass& shrink_light) {
    shrink(shrink_light);
    scatter();
}

void Glow::scatter() {
    near_.canvases[0].texture().bind(0);
    shrink_.run(far_.canvases[0]);
    blur(far_, 0);
    blur(near_, 0.35f);
}

}  // namespace orrery
