// SPDX-License-Identifier: MIT
#include "core/analysis/background.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "core/presets/presets.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

std::optional<BackgroundDiagnostics::Result> wait_for_result(BackgroundDiagnostics& background) {
    for (int i = 0; i < 3000; ++i) {
        if (auto result = background.take()) return result;
        std::this_thread::sleep_for(10ms);
    }
    return std::nullopt;
}

TEST(BackgroundDiagnostics, MatchesSynchronousDiagnostics) {
    const Scene scene = make_preset("plummer", {.bodies = 1000});
    const Diagnostics expected = diagnose(scene.bodies, scene.gravity, Backend::kCpu);
    BackgroundDiagnostics background;
    EXPECT_FALSE(background.take());
    for (const std::uint64_t serial : {7u, 8u}) {
        ASSERT_TRUE(background.start(scene.bodies, scene.gravity, Backend::kCpu, serial));
        const auto result = wait_for_result(background);
        ASSERT_TRUE(result);
        EXPECT_EQ(result->failure, "");
        EXPECT_EQ(result->serial, serial);
        EXPECT_GT(result->seconds, 0);
        EXPECT_EQ(result->diagnostics.potential, expected.potential);
        EXPECT_EQ(result->diagnostics.kinetic, expected.kinetic);
        EXPECT_EQ(result->diagnostics.angular_momentum, expected.angular_momentum);
        EXPECT_FALSE(background.take()) << "a result is taken once";
        while (background.busy()) std::this_thread::sleep_for(1ms);
    }
}

// 600 000 bodies have 4·10^11 pairs, which take minutes at best.
TEST(BackgroundDiagnostics, RefusesASecondStateAndCancelsPromptly) {
    const Scene scene = make_preset("plummer", {.bodies = 600000});
    const auto start = std::chrono::steady_clock::now();
    {
        BackgroundDiagnostics background;
        ASSERT_TRUE(background.start(scene.bodies, scene.gravity, Backend::kCpu, 1));
        std::this_thread::sleep_for(300ms);
        EXPECT_TRUE(background.busy());
        EXPECT_FALSE(background.start(scene.bodies, scene.gravity, Backend::kCpu, 2));
        background.cancel();
        EXPECT_TRUE(eventually([&] { return !background.busy(); }));
        EXPECT_FALSE(background.take()) << "a cancelled calculation has no result";
        ASSERT_TRUE(background.start(scene.bodies, scene.gravity, Backend::kCpu, 3));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, 60s * slowness());
}

TEST(BackgroundDiagnostics, ReportsWhyItFailed) {
    BackgroundDiagnostics background;
    ASSERT_TRUE(background.start(Bodies{}, {}, Backend::kCpu, 1));
    const auto result = wait_for_result(background);
    ASSERT_TRUE(result);
    EXPECT_NE(result->failure, "");
}

}  // namespace
}  // namespace orrery::test
