// SPDX-License-Identifier: MIT
#include "app/render/color_ramp.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery {
namespace {

struct Ends {
    float from, to;
    float at(float share) const { return from + share * (to - from); }
};
// In OKLCH (B. Ottosson, "A perceptual color space for image processing", 2020): the dark end must be visible on black.
constexpr Ends kLightness{0.44f, 0.93f}, kChroma{0.17f, 0.15f}, kHueDegrees{285, 100};

std::uint32_t channel(float linear) {
    const float light = std::clamp(linear, 0.0f, 1.0f);
    const float s = light <= 0.0031308f ? 12.92f * light : 1.055f * std::pow(light, 1 / 2.4f) - 0.055f;
    return static_cast<std::uint32_t>(std::lround(255 * s));
}

std::uint32_t color(float share) {
    const float hue = kHueDegrees.at(share) * 3.14159265f / 180;
    const float lightness = kLightness.at(share);
    const float a = kChroma.at(share) * std::cos(hue), b = kChroma.at(share) * std::sin(hue);
    const float l = std::pow(lightness + 0.3963377774f * a + 0.2158037573f * b, 3.0f);
    const float m = std::pow(lightness - 0.1055613458f * a - 0.0638541728f * b, 3.0f);
    const float s = std::pow(lightness - 0.0894841775f * a - 1.2914855480f * b, 3.0f);
    const std::uint32_t red = channel(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s);
    const std::uint32_t green = channel(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s);
    const std::uint32_t blue = channel(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s);
    return 0xff000000u | blue << 16 | green << 8 | red;  // IM_COL32's order
}

}  // namespace

std::uint32_t ramp_color(float share) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> colors{};
        for (std::size_t i = 0; i < colors.size(); ++i) colors[i] = color(static_cast<float>(i) / 255);
        return colors;
    }();
    return table[static_cast<std::size_t>(std::clamp(share, 0.0f, 1.0f) * 255 + 0.5f)];
}

}  // namespace orrery
