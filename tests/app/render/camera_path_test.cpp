// SPDX-License-Identifier: MIT
#include "app/camera/camera_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <glm/geometric.hpp>

#include "core/base/error.hpp"

namespace orrery::test {
namespace {

constexpr double kPi = std::numbers::pi;

CameraPath path(bool loop) {
    return {.keys = {{0.5, {{0, 0, 0}, 10, 0.1, 0.2, 0.8}},
                     {2.0, {{1, 2, -1}, 0.5, 1.4, 1.3, 0.7}},
                     {2.75, {{3, 1, 0}, 0.25, 2.2, kPi / 2, 0.7}},
                     {6.0, {{-2, 0, 4}, 1000, -0.4, -0.9, 1.1}}},
            .loop = loop,
            .closing = 1.5};
}

/// A pose as numbers that should change smoothly; the direction replaces the yaw, which may jump by full turns.
std::vector<double> numbers(const CameraPose& pose) {
    return {pose.target.x,      pose.target.y,      pose.target.z, std::log(pose.distance),
            std::cos(pose.yaw), std::sin(pose.yaw), pose.pitch,    pose.fov};
}

std::vector<double> speed(const CameraPath& path, double seconds, double h) {
    const auto a = numbers(path.evaluate(seconds)), b = numbers(path.evaluate(seconds + h));
    std::vector<double> change(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) change[k] = (b[k] - a[k]) / h;
    return change;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance, double at) {
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "number " << k << " at " << at;
}

TEST(CameraPath, PassesEachKeyExactly) {
    for (const bool loop : {false, true})
        for (const CameraKey& key : path(loop).keys) EXPECT_EQ(path(loop).evaluate(key.time), key.pose);
}

TEST(CameraPath, SpeedIsContinuous) {
    constexpr double h = 1e-6;
    for (const bool loop : {false, true}) {
        const CameraPath p = path(loop);
        for (const CameraKey& key : p.keys) {
            expect_near(speed(p, key.time - h, h), speed(p, key.time, h), 1e-3, key.time);
            expect_near(numbers(p.evaluate(key.time - h)), numbers(p.evaluate(key.time + h)), 1e-3, key.time);
        }
    }
    const CameraPath p =
        path(true);  // also check that the speed at a key is not zero, where continuity would be trivial
    EXPECT_GT(std::abs(speed(p, 2.0, h)[0]), 0.1);
    EXPECT_GT(std::abs(speed(p, 6.0, h)[0]), 0.1);
}

TEST(CameraPath, StartsAndEndsAtRestAndHoldsBeyondItsEnds) {
    const CameraPath p = path(false);
    const auto still = [&](double at) {
        for (const double v : speed(p, at, 1e-6)) EXPECT_NEAR(v, 0, 1e-4) << at;
    };
    still(0.5);
    still(6.0 - 1e-6);
    EXPECT_EQ(p.evaluate(-3), p.keys.front().pose);
    EXPECT_EQ(p.evaluate(99), p.keys.back().pose);
    EXPECT_EQ(p.duration(), 5.5);
}

TEST(CameraPath, LoopClosesAndRepeats) {
    const CameraPath p = path(true);
    EXPECT_EQ(p.duration(), 7.0);
    for (const double at : {0.6, 1.9, 5.0, 6.7, 7.4}) {
        expect_near(numbers(p.evaluate(at)), numbers(p.evaluate(at + 7)), 1e-9, at);
        expect_near(numbers(p.evaluate(at)), numbers(p.evaluate(at - 21)), 1e-9, at);
    }
    expect_near(numbers(p.evaluate(7.5 - 1e-7)), numbers(p.keys.front().pose), 1e-5, 7.5);
}

TEST(CameraPath, StaysWithinTheRangeOfItsKeys) {
    for (const bool loop : {false, true}) {
        const CameraPath p = path(loop);
        for (double t = 0; t < 8; t += 0.01) {
            const CameraPose pose = p.evaluate(t);
            EXPECT_LE(std::abs(pose.pitch), kPi / 2) << t;
            EXPECT_TRUE(pose.distance >= 0.25 * (1 - 1e-12) && pose.distance <= 1000 * (1 + 1e-12)) << pose.distance;
            EXPECT_TRUE(pose.fov >= 0.7 && pose.fov <= 1.1) << pose.fov;
        }
    }
}

TEST(CameraPath, DistanceChangesByEqualFactorsInEqualTimes) {
    CameraPath p;
    for (int i = 0; i < 5; ++i) p.add(i, {.distance = std::pow(10, i)});
    EXPECT_NEAR(p.evaluate(2.5).distance / std::pow(10, 2.5), 1, 1e-12) << "the geometric mean, not the arithmetic";
}

TEST(CameraPath, EqualKeysHoldTheCamera) {
    CameraPath p = path(false);
    p.add(4, p.keys[2].pose);  // equal to the key at 2.75 s
    for (double t = 2.75; t < 4; t += 0.05) {
        const CameraPose pose = p.evaluate(t);
        EXPECT_LT(glm::length(pose.target - p.keys[2].pose.target), 1e-12) << t;
        EXPECT_NEAR(pose.distance, p.keys[2].pose.distance, 1e-12) << t;
        EXPECT_NEAR(pose.yaw, p.keys[2].pose.yaw, 1e-12) << t;
    }
}

TEST(CameraPath, AddTurnsTheShortWayAndKeysKeepFullTurns) {
    CameraPath p;
    p.add(0, {.yaw = 3.0});
    p.add(1, {.yaw = -3.0});  // 0.28 rad further, across the seam at π
    EXPECT_NEAR(p.keys[1].pose.yaw, 2 * kPi - 3, 1e-12);
    EXPECT_NEAR(p.evaluate(0.5).yaw, kPi, 1e-12) << "turned the long way";
    const CameraPath turntable{.keys = {{0, {.yaw = 0}}, {4, {.yaw = 2 * kPi}}}};
    EXPECT_NEAR(turntable.evaluate(2).yaw, kPi, 1e-12);
}

TEST(CameraPath, KeysStayInOrder) {
    CameraPath p;
    EXPECT_EQ(p.add(2, {.distance = 2}), 0u);
    EXPECT_EQ(p.add(1, {.distance = 1}), 0u);
    EXPECT_EQ(p.add(3, {.distance = 3}), 2u);
    EXPECT_EQ(p.add(2, {.distance = 22}), 1u) << "replaces the key";
    EXPECT_EQ(p.keys.size(), 3u);
    EXPECT_EQ(p.move(0, 2.5), 1u);
    EXPECT_EQ(p.keys[1].pose.distance, 1);
    EXPECT_EQ(p.problem(), std::nullopt);
    p.erase(1);
    EXPECT_EQ(p.keys.size(), 2u);
    EXPECT_EQ(p.keys[0].pose.distance, 22);
    EXPECT_THROW(p.add(-1, {}), Error);
    EXPECT_THROW(p.move(0, std::nan("")), Error);
    EXPECT_EQ(p.keys.size(), 2u) << "a refused move lost its key";
}

TEST(CameraPath, SingleKeyHoldsTheCamera) {
    const CameraPath p{.keys = {{3, {.distance = 7}}}, .loop = true};
    for (const double t : {-1.0, 0.0, 3.0, 10.0}) EXPECT_EQ(p.evaluate(t).distance, 7);
    EXPECT_EQ(p.duration(), 0);
}

TEST(CameraPath, ReportsProblems) {
    const auto with = [](auto change) {
        CameraPath p = path(true);
        change(p);
        return p.problem().value_or("nothing");
    };
    EXPECT_EQ(with([](CameraPath&) {}), "nothing");
    EXPECT_NE(with([](CameraPath& p) { p.keys[2].time = 2; }).find("keyframe 3: its time"), std::string::npos);
    EXPECT_NE(with([](CameraPath& p) { p.keys[0].time = -1; }).find("keyframe 1: its time"), std::string::npos);
    EXPECT_NE(with([](CameraPath& p) { p.keys[1].pose.distance = 0; }).find("distance"), std::string::npos);
    EXPECT_NE(with([](CameraPath& p) { p.keys[1].pose.pitch = 2; }).find("pitch"), std::string::npos);
    EXPECT_NE(with([](CameraPath& p) { p.keys[1].pose.fov = 4; }).find("field of view"), std::string::npos);
    EXPECT_NE(with([](CameraPath& p) { p.keys[1].pose.target.y = INFINITY; }).find("finite"), std::string::npos);
    EXPECT_NE(with([](CameraPath& p) { p.closing = 0; }).find("loop"), std::string::npos);
}

}  // namespace
}  // namespace orrery::test
