// SPDX-License-Identifier: MIT
#include "app/render/finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace orrery {

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

void Glow::scatter() const {
    near_.canvases[0].texture().bind(0);
    shrink_.run(far_.canvases[0]);
    blur(far_, 0);
    blur(near_, 0.35f);
}

void Finish::resize(int width, int height, LightChannels channels) {
    if (width == width_ && height == height_ && channels == channels_) return;
    glow_.resize(width, height, channels);
    width_ = width, height_ = height, channels_ = channels;
}

const GlTexture& Finish::shrink_bodies(const BodyLight& light) {
    glow_.shrink(shrink_pass(light, false));
    return glow_.texture();
}

void Finish::run(const BodyLight& light, const ViewSettings& settings, bool shrunk, bool spheres,
                 const Canvas& target) {
    const bool layers = settings.trails.on || settings.stars.on;
    if (settings.glow > 0 || settings.contours > 0 || settings.local_contrast > 0) {
        if (layers || !shrunk) glow_.shrink(shrink_pass(light, layers));
        glow_.scatter();
        glow_.texture().bind(1);
        light.bind_light();
    }
    finish_pass(light, settings, layers, spheres).run(target);
}

void Finish::write_light(const BodyLight& light, const Canvas& target) {
    pass(light.in_texture() ? "raw_points.glsl" : "raw_splat.glsl", {}).run(target);
}

const ScreenPass& Finish::shrink_pass(const BodyLight& light, bool layers) {
    return pass(light.in_texture() ? "shrink_points.glsl" : "shrink_splat.glsl", layers ? "LAYERS" : "");
}

/// In software GL each combination has its own shader (shaders/finish.glsl), which draws the default frame in a third
/// of the time of a general shader. On a GPU, compiling them would take time without any gain.
const ScreenPass& Finish::finish_pass(const BodyLight& light, const ViewSettings& settings, bool layers, bool spheres) {
    const bool all = sweep_ == Sweep::kCompute;
    std::string defined = layers ? "LAYERS" : "";
    if (all || settings.glow > 0) defined += " WITH_GLOW";
    if (all || settings.local_contrast > 0) defined += " WITH_RELIEF";
    if (all || settings.contours > 0) defined += " WITH_CONTOURS";
    if (all || spheres) defined += " WITH_SPHERES";
    constexpr std::array kHues{" IN_ORDER", " IN_COLORS", " IN_MOMENTS", " IN_COLORS"};  // by LightChannels
    if (!all) defined += kHues.at(static_cast<std::size_t>(light.channels()));
    return pass(light.in_texture() ? "finish_points.glsl" : "finish_splat.glsl", defined);
}

const ScreenPass& Finish::pass(std::string_view shade, std::string_view defined) {
    const auto key = fmt::format("{} {}", shade, defined);
    const auto found = passes_.find(key);
    return found != passes_.end() ? found->second : passes_.try_emplace(key, shade, sweep_, defined).first->second;
}

}  // namespace orrery
