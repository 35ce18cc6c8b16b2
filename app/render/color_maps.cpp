// SPDX-License-Identifier: MIT
#include "app/render/color_maps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "app/render/color_modes.hpp"
#include "core/base/menu.hpp"
#include "core/plot/scales.hpp"

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

/// sRGB as 0xRRGGBB, at equal steps from 0 to 1.
template <std::size_t kCount>
constexpr std::array<ColorStop, kCount> evenly(const std::array<unsigned, kCount>& colors) {
    std::array<ColorStop, kCount> stops{};
    for (std::size_t i = 0; i < kCount; ++i) {
        const auto part = [&](unsigned shift) { return static_cast<float>(colors[i] >> shift & 255) / 255.0f; };
        stops[i] = {static_cast<float>(i) / static_cast<float>(kCount - 1), part(16), part(8), part(0)};
    }
    return stops;
}

// Samples of the published tables at seventeenths of their length; interpolation is accurate to 12 of 255. Viridis,
// magma, inferno, plasma: S. van der Walt, N. Smith and E. Firing for matplotlib, CC0. Cividis: J. Nuñez, C. Anderton,
// R. Renslow, PLoS ONE 13 (2018) e0199239, CC0. Turbo: A. Mikhailov, Google, Apache-2.0. Twilight: B. Bechtold, CC0.
constexpr auto kViridis = evenly(kViridisColors);
constexpr auto kMagma =
    evenly<18>({0x000004, 0x090720, 0x1a1042, 0x311165, 0x4a1079, 0x621980, 0x792282, 0x912b81, 0xaa337d, 0xc23b75,
                0xd9466b, 0xec5860, 0xf7725c, 0xfc8e64, 0xfeaa74, 0xfec68a, 0xfde2a3, 0xfcfdbf});
constexpr auto kInferno =
    evenly<18>({0x000004, 0x0a0722, 0x1e0c45, 0x380962, 0x510e6c, 0x69166e, 0x801f6c, 0x982766, 0xb0315b, 0xc63d4d,
                0xd94d3d, 0xe9612b, 0xf47918, 0xfa9407, 0xfcb014, 0xf8cd37, 0xf2ea69, 0xfcffa4});
constexpr auto kPlasma =
    evenly<18>({0x0d0887, 0x2f0596, 0x4903a0, 0x6100a7, 0x7801a8, 0x8e0ca4, 0xa21d9a, 0xb42e8d, 0xc43e7f, 0xd24f71,
                0xde6164, 0xe97257, 0xf3854b, 0xf99a3e, 0xfdaf31, 0xfdc627, 0xf8df25, 0xf0f921});
constexpr auto kCividis =
    evenly<18>({0x00224e, 0x002d68, 0x163770, 0x2e416d, 0x3f4c6c, 0x4e566c, 0x5c616e, 0x696b71, 0x767676, 0x838179,
                0x928c78, 0xa09875, 0xafa471, 0xbfb06b, 0xcfbd62, 0xdfca57, 0xf0d846, 0xfee838});
constexpr auto kTurbo =
    evenly<18>({0x30123b, 0x3f3e9c, 0x4666dd, 0x458cfd, 0x2fb2f4, 0x1ad4d0, 0x22ebaa, 0x52fa7a, 0x8bff4b, 0xb7f735,
                0xdbe236, 0xf5c53a, 0xfea130, 0xf9751d, 0xe84b0c, 0xce2d04, 0xa91601, 0x7a0403});
constexpr auto kTwilight =
    evenly<18>({0xe2d9e2, 0xc5cfd5, 0x99b8c8, 0x779cc2, 0x647ebc, 0x5f5cb2, 0x5c389c, 0x501973, 0x381144, 0x39113a,
                0x5b1749, 0x822450, 0xa13e50, 0xb75f54, 0xc48367, 0xcda78e, 0xd9c8c0, 0xe2d9e2});
constexpr auto kGrey = evenly<2>({0x000000, 0xffffff});
// Okabe and Ito's colours for any kind of colour vision (jfly.uni-koeln.de/color, 2008), with light grey for their
// black.
constexpr auto kDistinct = evenly<8>({0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7, 0xdddddd});

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

float to_srgb(float c) { return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f; }

/// The format of ImGui's draw lists, IM_COL32.
std::uint32_t packed(float red, float green, float blue) {
    const auto byte = [](float part) {
        return static_cast<std::uint32_t>(std::lround(255 * std::min(to_srgb(part), 1.0f)));
    };
    return byte(red) | byte(green) << 8 | byte(blue) << 16 | 0xff000000u;
}

struct Ends {
    float from, to;
    float at(float share) const { return from + share * (to - from); }
};
// Of the ramp, in OKLCH: the dark end must be visible on black.
constexpr Ends kLightness{0.44f, 0.93f}, kChroma{0.17f, 0.15f}, kHueDegrees{285, 100};

}  // namespace

std::span<const ColorMapEntry> color_maps() {
    using enum ColorMapKind;
    static constexpr auto menu = std::to_array<ColorMapEntry>({
        {"ember", "Ember", "deep blue, white, warm orange", "Orrery", kEmber, kSequential, 0},
        {"aurora", "Aurora", "violet, blue, green, pale yellow", "Orrery", kAurora, kSequential, 0},
        {"starlight", "Starlight", "warm white to blue white, the colours of stars", "Orrery", kStarlight, kSequential,
         0},
        {"viridis", "Viridis", "violet, green, yellow; perceptually uniform", "matplotlib, CC0", kViridis, kSequential,
         0.6f},
        {"magma", "Magma", "violet, red, cream", "matplotlib, CC0", kMagma, kSequential, 0.6f},
        {"inferno", "Inferno", "violet, red, yellow", "matplotlib, CC0", kInferno, kSequential, 0.6f},
        {"plasma", "Plasma", "blue, pink, yellow", "matplotlib, CC0", kPlasma, kSequential, 0.6f},
        {"cividis", "Cividis", "blue to yellow; looks nearly the same with red-green colour blindness",
         "Nuñez et al. 2018, CC0", kCividis, kSequential, 0.6f},
        {"turbo", "Turbo", "a perceptually smooth rainbow; distinguishes the most values", "Google, Apache-2.0", kTurbo,
         kSequential, 0},
        {"twilight", "Twilight", "white, blue, black, red, white: cyclic", "B. Bechtold, CC0", kTwilight, kCyclic,
         0.6f},
        {"grey", "Grey", "brightness alone", "Orrery", kGrey, kSequential, 0.85f},
        {"distinct", "Distinct", "eight colours that everyone can distinguish, for tiles and leaves",
         "Okabe & Ito 2008", kDistinct, kCategorical, 0},
    });
    return menu;
}

const ColorMapEntry& color_map(std::string_view id) { return find_in_menu(color_maps(), "colour map", id); }

const ColorMapEntry& color_map_for(std::string_view id, ColorBy by) {
    return color_map(id == kAutoColorMap ? color_mode(by).map : id);
}

Vec3f color_at(const ColorMapEntry& map, float at) {
    const auto count = map.stops.size();
    if (map.kind == ColorMapKind::kCategorical) {
        const auto i = std::min(static_cast<std::size_t>(at * static_cast<float>(count)), count - 1);
        return rgb(oklab(map.stops[i]));
    }
    const auto next = std::ranges::find_if(map.stops.begin() + 1, map.stops.end() - 1,
                                           [&](const ColorStop& stop) { return stop.at >= at; });
    const ColorStop &low = *(next - 1), &high = *next;
    const float share = (at - low.at) / (high.at - low.at);
    const Vec3f a = oklab(low), b = oklab(high);
    return rgb((1 - share) * a + share * b);
}

namespace {

ColorTable table_of(const ColorMapEntry& map) {
    ColorTable table;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const Vec3f mixed = color_at(map, static_cast<float>(i) / static_cast<float>(table.size() - 1));
        const Vec3f color{std::max(mixed.x, 0.0f), std::max(mixed.y, 0.0f), std::max(mixed.z, 0.0f)};
        const float most = std::max({color.x, color.y, color.z, 1e-6f});
        // A nearly black colour has no meaningful hue.
        const Vec3f hue = most < 1e-5f ? Vec3f{1, 1, 1} : 1 / most * color;
        const Vec3f full = map.lightness > 0 ? (1 - map.lightness * (1 - to_srgb(std::min(most, 1.0f)))) * hue : hue;
        table[i] = {full.x, full.y, full.z, 1};
    }
    return table;
}

}  // namespace

const ColorTable& color_table(const ColorMapEntry& map) {
    static std::mutex busy;
    static std::map<std::string_view, ColorTable> known;  // a map: addresses are stable
    const std::lock_guard lock{busy};
    const auto [entry, added] = known.try_emplace(map.id);
    if (added) entry->second = table_of(map);
    return entry->second;
}

ColorTable table_with_missing(const ColorMapEntry& map) {
    constexpr float kGrey = 0.2f;  // linear: half as bright as white to the eye
    const bool grey = map.id == "grey";
    const ColorTable& whole = color_table(map);
    ColorTable table;
    for (std::size_t i = 0; i + 1 < table.size(); ++i)
        table[i] = whole[(i * (table.size() - 1) + (table.size() - 2) / 2) / (table.size() - 2)];
    table.back() = grey ? Vec4f{kGrey, 0, 0, 1} : Vec4f{kGrey, kGrey, kGrey, 1};
    return table;
}

std::uint32_t color_for_screen(const ColorTable& table, float at) {
    const Vec4f c = table[static_cast<std::size_t>(std::clamp(at, 0.0f, 1.0f) * (kColorMapSize - 1) + 0.5f)];
    return packed(c.x, c.y, c.z);
}

std::uint32_t ramp_color(float share) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> colors{};
        for (std::size_t i = 0; i < colors.size(); ++i) {
            const float at = static_cast<float>(i) / 255, hue = kHueDegrees.at(at) * 3.14159265f / 180;
            const Vec3f c = rgb({kLightness.at(at), kChroma.at(at) * std::cos(hue), kChroma.at(at) * std::sin(hue)});
            const auto within = [](float part) { return std::clamp(part, 0.0f, 1.0f); };
            colors[i] = packed(within(c.x), within(c.y), within(c.z));
        }
        return colors;
    }();
    return table[static_cast<std::size_t>(std::clamp(share, 0.0f, 1.0f) * 255 + 0.5f)];
}

}  // namespace orrery
