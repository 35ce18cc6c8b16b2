// SPDX-License-Identifier: MIT
#include "app/window/hand/pick.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <glm/geometric.hpp>

#include "app/camera/orbit_camera.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

constexpr double kPickWidth = 800, kPickHeight = 600;

const OrbitCamera kCamera{{{0, 0, 0}, 10, 0, 0}};  // eye at +x, y to the right, z up

TEST(Pick, ProjectionMatchesTheRenderer) {
    const OrbitCamera camera{{{1, 2, 3}, 7, 0.4, -0.8}};
    for (const glm::dvec3 point : {glm::dvec3{1, 2, 3}, {0, 1, 2}, {2, 2.5, 3.3}}) {
        const glm::dvec4 clip = camera.projection(kPickWidth / kPickHeight) * camera.view() * glm::dvec4{point, 1};
        const auto at = camera.project(point, kPickWidth, kPickHeight);
        ASSERT_TRUE(at);
        EXPECT_NEAR(at->x, kPickWidth / 2 * (1 + clip.x / clip.w), 1e-9);
        EXPECT_NEAR(at->y, kPickHeight / 2 * (1 - clip.y / clip.w), 1e-9);
    }
    EXPECT_FALSE(camera.project(camera.eye() + camera.back(), kPickWidth, kPickHeight)) << "behind the eye";
}

TEST(Pick, SelectsTheNearestWithinReach) {
    const std::vector<Vec4f> bodies{{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1.1f, 0, 0}, {20, 0, 0, 0}};
    const PickView view{kCamera, kPickWidth, kPickHeight};
    EXPECT_EQ(body_at(bodies, view, {400, 300}, 12), 0u);
    EXPECT_EQ(body_at(bodies, view, {408, 300}, 12), 0u);
    EXPECT_EQ(body_at(bodies, view, {420, 300}, 12), std::nullopt);
    const auto at = kCamera.project({0, 1, 0}, kPickWidth, kPickHeight).value();
    EXPECT_EQ(body_at(bodies, view, at, 12), 1u);
    EXPECT_EQ(body_at(bodies, view, at + glm::dvec2{7, 0}, 12), 2u);
    EXPECT_EQ(body_at({}, view, {400, 300}, 12), std::nullopt);
}

TEST(Pick, SelectsTheFrontOfCoincidentBodies) {
    const std::vector<Vec4f> bodies{{-3, 0, 0, 0}, {4, 0, 0, 0}, {0, 0, 0, 0}};
    EXPECT_EQ(body_at(bodies, {kCamera, kPickWidth, kPickHeight}, {400, 300}, 12), 1u);
}

TEST(Pick, BoxSelectsVisibleBodies) {
    const std::vector<Vec4f> bodies{{0, -1, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 3, 0}, {20, 0, 0, 0}};
    const PickView view{kCamera, kPickWidth, kPickHeight};
    EXPECT_EQ(bodies_in(bodies, view, {0, 0, 800, 600}).rows(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(bodies_in(bodies, view, {390, 200, 800, 400}).rows(), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(bodies_in(bodies, view, {800, 400, 390, 200}).rows(), (std::vector<std::uint32_t>{1, 2}))
        << "reversed corners";
}

TEST(Pick, LassoSelectsEnclosedBodies) {
    const std::vector<Vec4f> bodies{{0, -1, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 3, 0}, {20, 0, 0, 0}};
    const PickView view{kCamera, kPickWidth, kPickHeight};
    const std::vector<glm::dvec2> box{{390, 200}, {800, 200}, {800, 400}, {390, 400}};
    EXPECT_EQ(bodies_within(bodies, view, box).rows(), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(bodies_within(bodies, view, std::vector<glm::dvec2>{{0, 0}, {800, 600}}).count(), 0u);
}

/// Prints the time of a lasso of a thousand corners; a figure for docs/guide/interaction.md, not a requirement.
TEST(Pick, DISABLED_MillionBodiesByLasso) {
    const Frame frame = test::cloud(1'000'000);
    const PickView view{kCamera, kPickWidth, kPickHeight};
    std::vector<glm::dvec2> lasso;
    for (int i = 0; i < 1000; ++i) {
        const double angle = 2 * std::numbers::pi * i / 1000, radius = 150 + 20 * std::sin(40 * angle);
        lasso.push_back({kPickWidth / 2 + radius * std::cos(angle), kPickHeight / 2 + radius * std::sin(angle)});
    }
    for (int round = 0; round < 5; ++round) {
        const auto start = std::chrono::steady_clock::now();
        const std::size_t found = bodies_within(frame.host, view, lasso).rows().size();
        const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
        std::printf("%zu of 1 000 000 bodies in %.1f ms\n", found, taken.count());
        EXPECT_GT(found, 0u);
    }
}

TEST(Flight, PathIsIndependentOfTheFrameRate) {
    const auto after = [](int steps) {
        OrbitCamera camera{{{0, 0, 0}, 10, 0.3, 0.2}};
        Flight flight;
        for (int i = 0; i < steps; ++i) flight.advance(camera, {0.5, 0, 1}, 1.0 / steps);
        for (int i = 0; i < steps; ++i) flight.advance(camera, {0, 0, 0}, 2.0 / steps);
        return camera.pose().target;
    };
    EXPECT_LT(glm::length(after(3) - after(200)), 1e-3);
    EXPECT_NEAR(glm::length(after(200)), 10 * Flight::kStandard, 0.1)
        << "half the distance per second, eased at both ends";
}

TEST(Flight, SpeedIsBounded) {
    Flight flight;
    flight.faster(2);
    EXPECT_NEAR(flight.speed(), Flight::kStandard * 1.5625, 1e-12);
    flight.faster(1e9);
    EXPECT_EQ(flight.speed(), Flight::kFastest);
    flight.set_speed(0);
    EXPECT_EQ(flight.speed(), Flight::kSlowest);
}

TEST(Flight, LookingAroundKeepsTheEyePosition) {
    OrbitCamera camera{{{1, 2, 3}, 7, 0.4, 0.3}};
    const glm::dvec3 eye = camera.eye();
    camera.look(0.7, -0.5);
    EXPECT_LT(glm::length(camera.eye() - eye), 1e-12);
    EXPECT_NEAR(camera.pose().yaw, 1.1, 1e-12);
    camera.advance(1);
    EXPECT_LT(glm::length(camera.eye() - eye), 1e-12) << "the eye drifts";
}

TEST(Hull, EnclosesAllPointsWithAMargin) {
    std::vector<glm::dvec2> points{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 2}, {2, 0}, {1, 3}};
    const std::vector<glm::dvec2> hull = hull_of(points, 0);
    EXPECT_EQ(hull.size(), 4u) << "only the corners";
    for (const glm::dvec2 corner : hull_of(points, std::sqrt(2.0)))
        EXPECT_NEAR(std::max(std::abs(corner.x - 2), std::abs(corner.y - 2)), 3, 1e-12);
    EXPECT_TRUE(hull_of({{1, 1}, {2, 2}}, 5).empty());
}

}  // namespace
}  // namespace orrery::test
