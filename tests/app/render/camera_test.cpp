// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "app/camera/orbit_camera.hpp"

namespace orrery::test {
namespace {

const FrameExtent kExtent{{1, 2, 3}, 4, 0, 1};

glm::dvec3 seen(const OrbitCamera& camera, glm::dvec3 point, double aspect = 1.5) {
    const glm::dvec4 clip = camera.projection(aspect) * camera.view() * glm::dvec4{point, 1};
    return glm::dvec3{clip} / clip.w;
}

void expect_same(const CameraPose& a, const CameraPose& b) {
    EXPECT_NEAR(a.yaw, b.yaw, 1e-9);
    EXPECT_NEAR(a.pitch, b.pitch, 1e-9);
    EXPECT_NEAR(a.distance / b.distance, 1, 1e-9);
    EXPECT_LT(glm::length(a.target - b.target), 1e-9 * b.distance);
}

TEST(Camera, ViewsItsTargetFromItsDistance) {
    const OrbitCamera camera{{{1, 2, 3}, 7, 0.4, -0.8}};
    const glm::dvec4 target = camera.view() * glm::dvec4{1, 2, 3, 1};
    EXPECT_NEAR(target.x, 0, 1e-12);
    EXPECT_NEAR(target.y, 0, 1e-12);
    EXPECT_NEAR(target.z, -7, 1e-12);
    EXPECT_NEAR(glm::length(camera.eye() - glm::dvec3{1, 2, 3}), 7, 1e-12);
}

TEST(Camera, ViewIsARotationEvenAtThePoles) {
    for (const double pitch : {-std::numbers::pi / 2, -0.3, 0.0, std::numbers::pi / 2}) {
        const glm::dmat4 view = OrbitCamera{{{0, 0, 0}, 1, 0.7, pitch}}.view();
        const glm::dvec3 x{view[0][0], view[1][0], view[2][0]}, y{view[0][1], view[1][1], view[2][1]},
            z{view[0][2], view[1][2], view[2][2]};
        EXPECT_NEAR(glm::length(glm::cross(x, y) - z), 0, 1e-12) << pitch;
        EXPECT_NEAR(glm::length(x), 1, 1e-12) << pitch;
    }
}

TEST(Camera, FitShowsTheWholeSphereAtAnyAspect) {
    for (const double aspect : {0.4, 1.0, 2.5}) {
        OrbitCamera camera;
        camera.fit(kExtent, aspect, Transition::kAtOnce);
        double widest = 0;
        for (int i = 0; i < 400; ++i) {
            const double z = 2 * (i + 0.5) / 400 - 1, angle = 2.4 * i, r = std::sqrt(1 - z * z);
            const auto at = seen(
                camera, glm::dvec3{1, 2, 3} + 4.0 * glm::dvec3{r * std::cos(angle), r * std::sin(angle), z}, aspect);
            widest = std::max({widest, std::abs(at.x), std::abs(at.y)});
        }
        EXPECT_LT(widest, 1) << aspect;
        EXPECT_GT(widest, 0.6) << aspect;
    }
}

TEST(Camera, ShiftMovesAllPointsEqually) {
    OrbitCamera camera;
    camera.fit(kExtent, 1, Transition::kAtOnce);
    const OrbitCamera shifted = camera.shifted(0.3, 0.1);
    const auto middle = shifted.project(camera.pose().target, 800, 600);
    ASSERT_TRUE(middle);
    EXPECT_NEAR(middle->x, 400 * 1.3, 1e-9);
    EXPECT_NEAR(middle->y, 300 * 0.9, 1e-9);
    for (const glm::dvec3 point : {glm::dvec3{2, 3, 4}, glm::dvec3{0, 1, 2.5}}) {
        const auto before = camera.project(point, 800, 600), after = shifted.project(point, 800, 600);
        ASSERT_TRUE(before && after);
        EXPECT_NEAR(after->x - before->x, 120, 1e-9);
        EXPECT_NEAR(after->y - before->y, -30, 1e-9);
        const auto clip = seen(shifted, point, 800.0 / 600);  // as projected by OpenGL
        EXPECT_NEAR(400 * (1 + clip.x), after->x, 1e-9);
        EXPECT_NEAR(300 * (1 - clip.y), after->y, 1e-9);
    }
    EXPECT_EQ(camera.shift(), glm::dvec2{0});
}

TEST(Camera, DoesNotClipNearOrFarPoints) {
    const OrbitCamera camera{{{0, 0, 0}, 5}};
    const glm::dvec3 forward = glm::normalize(-camera.eye());
    for (const double depth : {0.001, 1.0, 1e3, 1e9}) {
        const auto at = seen(camera, camera.eye() + depth * forward);
        EXPECT_TRUE(at.z > -1 && at.z <= 1) << depth << " gives " << at.z;
    }
    const glm::dvec4 behind = camera.projection(1) * camera.view() * glm::dvec4{camera.eye() - forward, 1};
    EXPECT_LT(behind.w, 0);
}

TEST(Camera, KeepsTurningAfterReleaseAndComesToRest) {
    OrbitCamera camera;
    for (int i = 0; i < 30; ++i) {
        camera.drag(0.02, 0);
        camera.advance(1.0 / 60);
    }
    camera.release();
    const double at_release = camera.pose().yaw;
    EXPECT_TRUE(camera.moving());
    for (int i = 0; i < 600; ++i) camera.advance(1.0 / 60);
    EXPECT_NEAR(camera.pose().yaw - at_release, 0.02 * 60 * 0.35, 0.01) << "the integral of the decaying speed";
    EXPECT_FALSE(camera.moving());
}

TEST(Camera, MotionIsIndependentOfTheFrameRate) {
    const auto after = [](int steps) {
        OrbitCamera camera;
        camera.drag(0.05, 0.03);
        camera.advance(0.02);
        camera.release();
        camera.dolly(3);
        camera.fit(kExtent, 1.5, Transition::kSmooth);
        camera.drag(0.05, 0.03);
        camera.advance(0.02);
        camera.release();
        for (int i = 0; i < steps; ++i) camera.advance(0.5 / steps);
        return camera.pose();
    };
    expect_same(after(1), after(30));
    expect_same(after(7), after(500));
}

TEST(Camera, HoldingStillBeforeReleaseStopsTheTurn) {
    OrbitCamera camera;
    camera.drag(0.3, 0.1);
    for (int i = 0; i < 60; ++i) camera.advance(1.0 / 60);  // held still
    camera.release();
    const double yaw = camera.pose().yaw;
    for (int i = 0; i < 60; ++i) camera.advance(1.0 / 60);
    EXPECT_NEAR(camera.pose().yaw, yaw, 1e-3);
}

TEST(Camera, WheelZoomsSmoothlyByTwelvePercentPerNotch) {
    OrbitCamera camera{{{0, 0, 0}, 10}};
    camera.dolly(2);
    EXPECT_EQ(camera.pose().distance, 10);
    camera.advance(0.05);
    EXPECT_TRUE(camera.pose().distance < 10 && camera.pose().distance > 7.8);
    for (int i = 0; i < 300; ++i) camera.advance(1.0 / 60);
    EXPECT_NEAR(camera.pose().distance, 10 * 0.88 * 0.88, 1e-6);
    camera.dolly(1e9);
    camera.advance(100);
    EXPECT_GT(camera.pose().distance, 0);
}

TEST(Camera, PanMovesTheViewWithTheMouse) {
    OrbitCamera camera{{{1, 2, 3}, 7, 0.4, 0.3}};
    camera.pan(0.25, -0.1);
    const auto at = seen(camera, {1, 2, 3}, 1);
    EXPECT_NEAR(at.x, 0.5, 1e-12);  // clip space is 2 high
    EXPECT_NEAR(at.y, -0.2, 1e-12);
}

TEST(Camera, StopsAtThePoles) {
    OrbitCamera camera;
    camera.drag(0, 10);
    EXPECT_DOUBLE_EQ(camera.pose().pitch, std::numbers::pi / 2);
    camera.drag(0, -20);
    EXPECT_DOUBLE_EQ(camera.pose().pitch, -std::numbers::pi / 2);
}

TEST(Camera, FliesToABookmarkByTheShorterTurn) {
    OrbitCamera camera{{{0, 0, 0}, 10, 0.1, 0.2}};
    const CameraPose bookmark{{5, 0, 0}, 2, 2 * std::numbers::pi - 0.1, -0.4, 0.5};
    camera.go_to(bookmark, Transition::kSmooth);
    const double start = camera.pose().yaw;
    for (int i = 0; i < 400; ++i) camera.advance(1.0 / 60);
    EXPECT_EQ(camera.pose(), bookmark);
    EXPECT_NEAR(std::abs(camera.pose().yaw - start), 0.2, 1e-9);
    EXPECT_FALSE(camera.moving());
}

TEST(Camera, IgnoresInvalidTimeSteps) {
    OrbitCamera camera;
    camera.dolly(1);
    const CameraPose before = camera.pose();
    camera.advance(0);
    camera.advance(-1);
    camera.advance(std::nan(""));
    EXPECT_EQ(camera.pose(), before);
}

}  // namespace
}  // namespace orrery::test
