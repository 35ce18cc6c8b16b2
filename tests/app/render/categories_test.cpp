// SPDX-License-Identifier: MIT
// The colour bar and the legend agree with the colours in the frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/render/color_bar.hpp"
#include "app/render/color_maps.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

/// Converts an sRGB byte.
double linear_light(int byte) {
    const double s = byte / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

TEST(ColorBarTest, TicksUseUnitsOfTheScene) {
    FrameExtent extent;
    constexpr double kKilometresPerSecond = 58.1324 * 86400 / 149597870.7;  // in AU per unit of time
    extent.scalar_low = 0, extent.scalar_high = 2 * kKilometresPerSecond;
    const ColorBar bar = color_bar({}, extent, {"AU", "M☉", 58.1324});
    EXPECT_EQ(bar.title, "Speed, km/s");
    EXPECT_EQ(bar.ticks.front().text, "0");
    EXPECT_EQ(bar.ticks.back().text, "2");
    EXPECT_NEAR(bar.ticks.back().at, 1, 1e-6);
    extent.color_by = ColorBy::kDensity, extent.scalar_low = 0.1, extent.scalar_high = 1000;
    const ColorBar decades = color_bar({}, extent, {});
    EXPECT_EQ(decades.title, "Density");
    ASSERT_EQ(decades.ticks.size(), 5u);
    EXPECT_EQ(decades.ticks[1].text, "1");
    EXPECT_NEAR(decades.ticks[1].at, 0.25, 1e-6);
}

/// For each name, the legend shows the colour that its bodies have in the frame.
TEST(Categories, NamedOnesHaveTheSameColourInLegendAndFrame) {
    test::Studio studio;
    BodyMetadata words;
    words.species = 0b111111;
    FrameExtent extent{{0, 0, 0}, 1, 0, 5, ColorBy::kSpecies};
    const ColorBar bar = color_bar({}, extent, words);
    ASSERT_EQ(bar.ticks.size(), kSpeciesCount);
    EXPECT_EQ(bar.ticks[2].text, "disk");
    std::set<std::uint32_t> colors;
    ViewSettings settings = test::linear_view(DrawMode::kSplat);
    settings.exposure = 1;
    for (std::size_t i = 0; i < kSpeciesCount; ++i) {
        Frame frame;
        frame.count = 1;
        frame.extent = extent;
        frame.host = {{0, 0, 0, static_cast<float>(i)}};
        const Image image =
            studio.draw(frame, OrbitCamera{CameraPose{.target = {0, 0, 0}, .distance = 4}}, settings, 64, 64);
        const std::uint32_t named = color_for_screen(bar.colors, bar.ticks[i].at);
        EXPECT_TRUE(colors.insert(named).second) << bar.ticks[i].text;
        std::array<int, 4> most{};
        for (std::size_t at = 0; at < image.rgba.size(); ++at)
            most[at % 4] = std::max<int>(most[at % 4], image.rgba[at]);
        const int peak = std::max({most[0], most[1], most[2]});
        ASSERT_GT(peak, 100);
        for (std::size_t part = 0; part < 3; ++part) {
            const double share = linear_light(most[part]) / linear_light(peak);
            EXPECT_NEAR(share, linear_light(static_cast<int>(named >> 8 * part & 255)), 0.04) << bar.ticks[i].text;
        }
    }
}

TEST(Categories, OverlappingOnesAddTheirColours) {
    // Two bodies of different categories on one pixel add their colours and do not form a third category.
    test::Studio studio;
    Frame frame;
    frame.count = 2;
    frame.extent = {{0, 0, 0}, 1, 0, 1, ColorBy::kTile};
    ViewSettings settings = test::linear_view(DrawMode::kSplat);
    settings.exposure = -1.5f;
    const OrbitCamera camera{CameraPose{.target = {0, 0, 0}, .distance = 4}};
    const auto colour = [&](float first, float second) {
        frame.host = {{0, 0, 0, first}, {0, 0, 0, second}};
        const Image image = studio.draw(frame, camera, settings, 64, 64);
        Vec3d sum{};
        for (std::size_t i = 0; i < image.rgba.size(); i += 4)
            sum = sum + Vec3d{image.rgba[i] / 255.0, image.rgba[i + 1] / 255.0, image.rgba[i + 2] / 255.0};
        return sum;
    };
    const Vec3d one = colour(3, 3), other = colour(4, 4), both = colour(3, 4);
    for (const auto part : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
        EXPECT_GE(both.*part, std::min(one.*part, other.*part) * 0.98);
        EXPECT_LE(both.*part, std::max(one.*part, other.*part) * 1.02);
    }
    const Vec3d apart = one - other;
    EXPECT_GT(dot(apart, apart), 0.1) << "neighbouring categories must differ";
}

}  // namespace
}  // namespace orrery::test
