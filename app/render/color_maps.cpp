// SPDX-License-Identifier: MIT
#include "app/render/color_maps.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/menu.hpp"

namespace orrery {
namespace {

constexpr auto kEmber = std::to_array<ColorStop>({{0.00f, 0.16f, 0.30f, 1.00f},
                                                  {0.25f, 0.36f, 0.60f, 1.00f},
                                                  {0.48f, 0.86f, 0.93f, 1.00f},
                                                  {0.62f, 1.00f, 0.93f, 0.80f},
                                                  {0.80f, 1.00f, 0.68f, 0.32f},
                                                  {1.00f, 1.00f, 0.38f, 0.14f}});
constexpr auto kAurora = std::to_array<ColorStop>({{0.00f, 0.45f, 0.20f, 0.95f},
                                                   {0.30f, 0.16f, 0.55f, 0.98f},
                                                   {0.55f, 0.15f, 0.90f, 0.80f},
                                                   {0.80f, 0.65f, 1.00f, 0.45f},
                                                   {1.00f, 1.00f, 0.95f, 0.65f}});
constexpr auto kStarlight = std::to_array<ColorStop>(
    {{0.00f, 1.00f, 0.72f, 0.50f}, {0.50f, 1.00f, 0.96f, 0.92f}, {1.00f, 0.62f, 0.76f, 1.00f}});

float linear(float s) { return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f); }

// B. Ottosson, "A perceptual color space for image processing", 2020.
Vec3f oklab(const ColorStop& c) {
    const float r = linear(c.red), g = linear(c.green), b = linear(c.blue);
    const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

Vec3f rgb(Vec3f lab) {
    const float l = std::pow(lab.x + 0.3963377774f * lab.y + 0.2158037573f * lab.z, 3.0f);
    const float m = std::pow(lab.x - 0.1055613458f * lab.y - 0.0638541728f * lab.z, 3.0f);
    const float s = std::pow(lab.x - 0.0894841775f * lab.y - 1.2914855480f * lab.z, 3.0f);
    return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
            -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
            -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

}  // namespace

std::span<const ColorMapEntry> color_maps() {
    static constexpr auto menu = std::to_array<ColorMapEntry>({
        {"ember", "Ember", "deep blue, white, warm orange", kEmber},
        {"aurora", "Aurora", "violet, blue, green, pale yellow", kAurora},
        {"starlight", "Starlight", "warm white to blue white, as stars look", kStarlight},
    });
    return menu;
}

const ColorMapEntry& color_map(std::string_view id) { return find_in_menu(color_maps(), "colour map", id); }

ColorTable color_table(const ColorMapEntry& map) {
    ColorTable table;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const float at = static_cast<float>(i) / static_cast<float>(table.size() - 1);
        const auto next = std::ranges::find_if(map.stops.begin() + 1, map.stops.end() - 1,
                                               [&](const ColorStop& stop) { return stop.at >= at; });
        const ColorStop &low = *(next - 1), &high = *next;
        const float share = (at - low.at) / (high.at - low.at);
        const Vec3f a = oklab(low), b = oklab(high);
        const Vec3f mixed = rgb((1 - share) * a + share * b);
        const Vec3f color{std::max(mixed.x, 0.0f), std::max(mixed.y, 0.0f), std::max(mixed.z, 0.0f)};
        const Vec3f full = 1 / std::max({color.x, color.y, color.z}) * color;
        table[i] = {full.x, full.y, full.z, 1};
    }
    return table;
}

}  // namespace orrery
