// SPDX-License-Identifier: MIT
#include "app/window/hand/pick.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <glm/geometric.hpp>

#include "app/camera/orbit_camera.hpp"
#include "app/platform/offscreen_context.hpp"
#include "app/render/lasso.hpp"
#include "app/render/shared_buffer.hpp"
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

TEST(Pick, LineSelectsVisibleBodiesThatItEncloses) {
    const std::vector<Vec4f> bodies{{0, -1, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 3, 0}, {20, 0, 0, 0}};
    const Projector project{kCamera, kPickWidth, kPickHeight};
    const auto rows = [&](const std::vector<OutlinePoint>& line) {
        return bodies_within(bodies, project, Outline{line}).rows();
    };
    EXPECT_EQ(rows({{0, 0}, {800, 0}, {800, 600}, {0, 600}}), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(rows({{390, 200}, {800, 200}, {800, 400}, {390, 400}}), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(rows({{800, 400}, {390, 400}, {390, 200}, {800, 200}}), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_TRUE(rows({{0, 0}, {800, 600}}).empty());
}

/// The compute shader finds the bodies that the host finds, for views from outside and from among the bodies, lines of
/// few and many corners, bodies on the line, behind the eye and at infinity.
TEST(Pick, LassoOnTheGpuFindsTheSameBodies) {
    OffscreenContext context;
    Frame frame = test::cloud(5001);
    for (int i = 0; i < 400; ++i)
        frame.host[7 * static_cast<std::size_t>(i)] = {0, 0.005f * static_cast<float>(i - 200), 0, 0};
    const float inf = std::numeric_limits<float>::infinity();
    frame.host[5] = {inf, 0, 0, 0}, frame.host[6] = {0, -inf, 0, 0}, frame.host[64] = {std::nanf(""), 0, 0, 0};
    SharedBuffer buffer;
    buffer.upload(frame);
    Lasso lasso;
    const auto compare = [&](const OrbitCamera& camera, const std::vector<OutlinePoint>& line) {
        const Projector project{camera, kPickWidth, kPickHeight};
        const BodySet expected = bodies_within(frame.host, project, Outline{line});
        EXPECT_EQ(lasso.within(buffer, camera, kPickWidth, kPickHeight, Outline{line}), expected);
        return expected.count();
    };
    const std::vector<OutlinePoint> box{{300, 200}, {500, 200}, {500, 400}, {300, 400}};
    std::vector<OutlinePoint> star;
    for (int i = 0; i < 1500; ++i) {
        const double angle = 2 * std::numbers::pi * i / 1500, radius = 150 + 60 * std::sin(40 * angle);
        star.push_back({kPickWidth / 2 + radius * std::cos(angle), kPickHeight / 2 + radius * std::sin(angle)});
    }
    const std::vector<OutlinePoint> crossed{{100, 100}, {700, 500}, {700, 100}, {100, 500}};
    for (const OrbitCamera& camera :
         {kCamera, OrbitCamera{{{0.3, -0.2, 0.1}, 3, 0.4, 0.9}}, OrbitCamera{{{0.3, -0.2, 0.1}, 0.1, 2, -0.3}}})
        for (const auto& line : {box, star, crossed}) EXPECT_GT(compare(camera, line), 0u);
    // 400 bodies appear at exactly half the height, where this line has a corner.
    EXPECT_GT(compare(kCamera, {{200, 100}, {600, 100}, {600, 300}, {500, 500}, {200, 450}}), 0u);
    EXPECT_GE(lasso.decided_by_host(), 400u);
    EXPECT_EQ(compare(kCamera, {{0, 0}, {800, 600}}), 0u) << "two corners";
    EXPECT_EQ(compare(kCamera, {{0, 300}, {800, 300}, {400, 300}}), 0u) << "no height";
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
