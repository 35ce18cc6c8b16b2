// SPDX-License-Identifier: MIT
// The window's clock and what depends on it, without a window.
#include <gtest/gtest.h>

#include <thread>

#include "app/window/attract/attract.hpp"
#include "app/window/window.hpp"

namespace orrery::test {
namespace {

TEST(WindowClock, AdvancesByASixtiethPerFrame) {
    WindowClock clock{ClockKind::kSteps};
    const auto start = clock.now();
    for (int frame = 1; frame <= 600; ++frame) {
        clock.tick();
        if (frame == 3) std::this_thread::sleep_for(std::chrono::milliseconds{50});
        EXPECT_NEAR(clock.frame_seconds(), 1.0 / 60, 1e-8);
        EXPECT_EQ(clock.now(), clock.now());
    }
    EXPECT_EQ(clock.now() - start, std::chrono::seconds{10}) << "rounding must not accumulate";
    EXPECT_DOUBLE_EQ(clock.seconds(), 10);
}

TEST(WindowClock, AdvancesByTheGivenRate) {
    WindowClock clock{ClockKind::kSteps, 7};
    EXPECT_NEAR(clock.frame_seconds(), 1.0 / 7, 1e-8);
    for (int frame = 0; frame < 70; ++frame) clock.tick();
    EXPECT_NEAR(clock.frame_seconds(), 1.0 / 7, 1e-8);
    EXPECT_DOUBLE_EQ(clock.seconds(), 10);
}

TEST(WindowClock, FollowsWallTime) {
    WindowClock clock;
    clock.tick();
    EXPECT_GT(clock.frame_seconds(), 0) << "ImGui requires a positive first time step";
    const auto before = clock.now();
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
    clock.tick();
    EXPECT_GE(clock.now() - before, std::chrono::milliseconds{5});
    EXPECT_GE(clock.frame_seconds(), 0.005);
}

TEST(Attract, ShowsASceneEveryTwentySeconds) {
    WindowClock clock{ClockKind::kSteps};
    Attract attract;
    EXPECT_FALSE(attract.due(clock.now())) << "off by default";
    attract.start(clock.now());
    int scenes = 0;
    for (int frame = 0; frame < 60 * 60; ++frame) {
        clock.tick();
        scenes += attract.due(clock.now());
    }
    EXPECT_EQ(scenes, 3);
    attract.stop();
    EXPECT_FALSE(attract.due(clock.now() + std::chrono::hours{1}));
}

}  // namespace
}  // namespace orrery::test
