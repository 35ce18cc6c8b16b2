// SPDX-License-Identifier: MIT
// Requests that arrive during a long step or while a scene is created.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/live/simulation_thread.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

TEST(SimulationThreadRequests, SwitchesEngineWithinASliceOfALongStep) {
    // One step takes seconds; the switch must not wait for it.
    SimulationThread thread{{.source = "plummer", .bodies = 65'000}, {.engine = "reference"}};
    ASSERT_TRUE(eventually([&] { return thread.status().force.progress > 0; }));
    thread.send(SetEngine{{.engine = "direct", .precision = Precision::kDouble}});
    ASSERT_TRUE(eventually([&] { return thread.status().engine.config.engine == "direct"; }));
    EXPECT_EQ(thread.status().step, 0);
}

/// A request that waits for the end of a step does not keep a window from closing.
TEST(SimulationThreadRequests, EndsDuringALongStepDespiteAPendingRequest) {
    const auto file = std::filesystem::temp_directory_path() / "orrery-step-never-ended.tipsy";
    auto begun = std::chrono::steady_clock::now();
    {
        SimulationThread thread{{.source = "plummer", .bodies = 200'000}, {.engine = "tree", .backend = Backend::kCpu}};
        ASSERT_TRUE(eventually([&] { return thread.status().step > 0; }));
        thread.send(SetEngine{{.engine = "reference"}});  // the current step then takes two minutes or more
        ASSERT_TRUE(eventually(
            [&] { return thread.status().engine.config.engine == "reference" && thread.status().force.progress > 0; }));
        thread.send(SaveState{.path = file.string()});
        std::this_thread::sleep_for(100ms);  // the request's arrival is not reported; a slice of the step takes 15 ms
        begun = std::chrono::steady_clock::now();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 60s);
    std::filesystem::remove(file);  // exists if the request arrived between two steps
}

/// As if a key were pressed repeatedly while a large scene was created.
TEST(SimulationThreadRequests, DiscardsPendingRequestsAtTheEnd) {
    const SceneRequest large{.source = "plummer", .bodies = 300'000};
    auto begun = std::chrono::steady_clock::now();
    std::chrono::duration<double> once{};
    {
        SimulationThread thread{large, {.engine = "tree", .backend = Backend::kCpu}};
        once = std::chrono::steady_clock::now() - begun;
        for (int i = 0; i < 200; ++i) thread.send(LoadScene{large}), thread.send(SetReversed{i % 2 == 0});
        ASSERT_TRUE(eventually([&] { return thread.status().scene.serial > 1 || thread.status().scene.loading; }));
        begun = std::chrono::steady_clock::now();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 60 * once) << "not all of them";
}

/// As when a key cycles through presets while one is being created.
TEST(SimulationThreadRequests, LoadsOnlyTheLastOfThePendingScenes) {
    SimulationThread thread{{.source = "plummer", .bodies = 100}, {}};
    thread.send(SetPaused{true});
    thread.send(LoadScene{{.source = "plummer", .bodies = 400'000}});
    ASSERT_TRUE(eventually([&] { return thread.status().scene.loading || thread.status().bodies == 400'000; }));
    for (const std::size_t bodies : {20, 30, 40}) thread.send(LoadScene{{.source = "cold-sphere", .bodies = bodies}});
    // False if this machine was busy; then only the rest is tested.
    const bool meanwhile = thread.status().bodies == 100;
    ASSERT_TRUE(eventually([&] { return thread.status().actions_done == 5; }));
    EXPECT_EQ(thread.status().bodies, 40u);
    if (meanwhile) {
        EXPECT_EQ(thread.status().scene.serial, 3u) << "the first, the large one and the last";
    }
    thread.send(Undo{});
    ASSERT_TRUE(eventually([&] { return thread.status().bodies != 40; }));
    // The engine of a skipped request is still applied.
    thread.send(
        LoadScene{.request = {.source = "cold-sphere", .bodies = 50}, .engine = EngineConfig{.engine = "tree"}});
    thread.send(LoadScene{{.source = "cold-sphere", .bodies = 60}});
    ASSERT_TRUE(eventually([&] { return thread.status().bodies == 60; }));
    EXPECT_EQ(thread.status().engine.config.engine, "tree");
}

TEST(SimulationThreadRequests, LoadsAnotherSceneAndRefusesAMissingOne) {
    SimulationThread thread{{.source = "plummer", .bodies = 100}, {}};
    thread.send(LoadScene{{.source = "cold-sphere", .bodies = 50}});
    ASSERT_TRUE(eventually([&] { return thread.status().scene.id == "cold-sphere"; }));
    EXPECT_EQ(thread.status().bodies, 50u);
    EXPECT_EQ(thread.status().scene.serial, 2u);
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().count == 50; }));
    thread.send(LoadScene{{.source = "/no/such/file"}});
    ASSERT_TRUE(eventually([&] { return !thread.status().message.text.empty(); }));
    EXPECT_NE(thread.status().message.text.find("/no/such/file"), std::string::npos);
    EXPECT_EQ(thread.status().scene.id, "cold-sphere") << "the old scene continues";
    const std::int64_t step = thread.status().step;
    EXPECT_TRUE(eventually([&] { return thread.status().step > step; }));
}

}  // namespace
}  // namespace orrery::test
