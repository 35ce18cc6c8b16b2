// SPDX-License-Identifier: MIT
#include "app/picture/halo_marks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace orrery::test {
namespace {

using testing::ElementsAre;

constexpr double kMarkedWidth = 800, kMarkedHeight = 600, kMarkText = 16;

/// Three haloes of one time, of masses 1, 3 and 2, and one of another.
ShownHalos three_of_four() {
    HaloCatalogue catalogue;
    catalogue.ids_are_unique = true;
    const auto add = [&](std::uint64_t id, double x, double mass, double a) {
        catalogue.halos.push_back({.id = id, .position = {x, 0, 0}, .mass = mass, .radius = 0.5, .scale_factor = a});
    };
    add(0, -1, 1, 1), add(1, 0, 3, 1), add(2, 1, 2, 1), add(3, 0, 9, 0.5);
    link_halos(catalogue);
    return {.catalogue = std::make_shared<const HaloCatalogue>(std::move(catalogue))};
}

/// From a distance of 10 on the y axis.
OrbitCamera camera() { return OrbitCamera{{.distance = 10, .yaw = std::numbers::pi / 2, .pitch = 0}}; }

TEST(HaloMarks, HeaviestHaloesOfTheNearestTimeAreDrawn) {
    ShownHalos shown = three_of_four();
    EXPECT_THAT(shown.at(0.9), ElementsAre(1, 2, 0));
    EXPECT_THAT(shown.at(0.6), ElementsAre(3));
    EXPECT_THAT(shown.at(0), ElementsAre()) << "of several times none is the only one";
    shown.circles = 1;
    EXPECT_THAT(shown.at(1), ElementsAre(1));
    shown.lit = 0;
    EXPECT_THAT(shown.at(1), ElementsAre(1, 0)) << "the lit one is drawn even if it is light";
    shown.lit = kNoHalo;
    shown.line = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{3, 2});
    EXPECT_THAT(shown.at(1), ElementsAre(1, 2)) << "the lit halo at this time";
    EXPECT_TRUE(shown.is_lit(2));
    EXPECT_FALSE(shown.is_lit(1));
}

TEST(HaloMarks, CirclesHaveTheRadiiOfTheirHaloes) {
    const ShownHalos shown = three_of_four();
    const std::vector<HaloCircle> circles =
        halo_circles(shown, shown.at(1), camera(), kMarkedWidth, kMarkedHeight, kMarkText);
    ASSERT_EQ(circles.size(), 3u);
    const double pixels = camera().pixels_per_length(10, kMarkedHeight);
    for (const HaloCircle& circle : circles) EXPECT_NEAR(circle.radius, 0.5 * pixels, 1e-6);
    EXPECT_NEAR(circles[0].at.x, kMarkedWidth / 2, 1e-6);
    EXPECT_NEAR(circles[0].at.y, kMarkedHeight / 2, 1e-6);
    EXPECT_NEAR(std::abs(circles[1].at.x - circles[0].at.x), pixels, 1e-6);
    EXPECT_EQ(circles[0].label, "3");
}

TEST(HaloMarks, SkipHaloesBehindTheEyeOrWithoutARadius) {
    ShownHalos shown = three_of_four();
    HaloCatalogue changed = *shown.catalogue;
    changed.halos[0].position.y = 50;
    changed.halos[0].position.x = 0;
    changed.halos[1].radius = NAN;
    shown.catalogue = std::make_shared<const HaloCatalogue>(changed);
    const auto circles = halo_circles(shown, shown.at(1), camera(), kMarkedWidth, kMarkedHeight, kMarkText);
    ASSERT_EQ(circles.size(), 1u);
    EXPECT_EQ(circles[0].halo, 2u);
}

TEST(HaloMarks, LabelsDoNotOverlapHeavierOnes) {
    ShownHalos shown = three_of_four();
    HaloCatalogue changed = *shown.catalogue;
    for (Halo& halo : changed.halos) halo.position = {};
    shown.catalogue = std::make_shared<const HaloCatalogue>(changed);
    const auto circles = halo_circles(shown, shown.at(1), camera(), kMarkedWidth, kMarkedHeight, kMarkText);
    ASSERT_EQ(circles.size(), 3u);
    EXPECT_EQ(circles[0].label, "3");
    EXPECT_EQ(circles[1].label, "");
    EXPECT_EQ(circles[2].label, "");
}

TEST(HaloMarks, CircleUnderAPointIsTheOneWithTheNearestLine) {
    const std::vector<HaloCircle> circles{{.at = {100, 100}, .radius = 50, .halo = 1},
                                          {.at = {100, 100}, .radius = 40, .halo = 2}};
    EXPECT_EQ(circle_at(circles, {149, 100}, 5)->halo, 1u);
    EXPECT_EQ(circle_at(circles, {143, 100}, 5)->halo, 2u);
    EXPECT_EQ(circle_at(circles, {100, 100}, 5), nullptr);
}

}  // namespace
}  // namespace orrery::test
