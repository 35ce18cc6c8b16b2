// SPDX-License-Identifier: MIT
// Work between two frames: positions for trails, background checkpoints, the schedule of energy measurements.
#include "core/live/monitors.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "core/base/error.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/simulation/checkpoint.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/new_folder.hpp"

namespace orrery::test {
namespace {

TEST(TrailMonitor, DeliversEveryStepThatWasNotDisplayed) {
    SimulationThread thread{{.source = "figure-eight"}, {.backend = Backend::kCpu}};
    thread.send(SetTrails{3});
    thread.send(SetSpeed{0});
    ASSERT_TRUE(eventually([&] { return thread.status().step > 200; }));
    std::int64_t last = 0;
    int states = 0;
    ASSERT_TRUE(eventually([&] {
        if (!thread.update_frame()) return false;
        const Frame& frame = thread.frame();
        EXPECT_EQ(frame.passed.size(), frame.passed_steps.size() * frame.count);
        for (std::size_t i = 0; i < frame.passed_steps.size(); ++i) {
            const std::int64_t step = frame.passed_steps[i];
            EXPECT_LE(step, frame.step);
            if (last > 0) {
                EXPECT_GE(step, last + 3) << "at least the requested distance, without duplicates";
            }
            for (std::size_t body = 0; body < frame.count; ++body)
                EXPECT_TRUE(std::isfinite(frame.passed[i * frame.count + body].x));
            last = step;
            ++states;
        }
        return states > 500;
    }));
    thread.send(SetTrails{0});
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().passed_steps.empty(); }));
}

/// A pause may interrupt a step after its forces, while their error is measured. Colours by error and the octree need
/// the rest of the step.
TEST(ForceMonitor, CompletesTheStepBeforeItMeasuresTheError) {
    using Seconds = std::chrono::duration<double>;
    EngineConfig tree = default_engine_config();
    tree.engine = "tree", tree.backend = Backend::kCpu;
    Simulation simulation{open_scene({.source = "collision", .bodies = 2000}), tree};
    while (!simulation.within_step() || !simulation.forces().fresh()) simulation.advance(Seconds{0}, 1);
    ForceMonitor monitor;
    EXPECT_FALSE(monitor.wanted(simulation));
    simulation.set_color_by(ColorBy::kError);
    EXPECT_TRUE(monitor.wanted(simulation));
    simulation.set_color_by(ColorBy::kSpeed);
    monitor.want_cells(1000);
    EXPECT_TRUE(monitor.wanted(simulation));
    while (simulation.within_step()) simulation.advance(Seconds{0}, 1);
    EXPECT_FALSE(monitor.wanted(simulation));
}

TEST(TrailMonitor, ThinsSamplesAndKeepsTheWholePath) {
    Simulation simulation{open_scene({.source = "plummer", .bodies = TrailMonitor::kMostBodies}),
                          {.backend = Backend::kCpu}};
    TrailMonitor watch;
    watch.want(1);
    ASSERT_TRUE(watch.on(simulation));
    for (int step = 0; step < 150; ++step) {
        simulation.step();
        watch.stepped(simulation, false);
    }
    Frame frame;
    watch.fill(frame, true);
    ASSERT_FALSE(frame.passed_steps.empty());
    EXPECT_LE(frame.passed.size(), TrailMonitor::kMostPlaces);
    EXPECT_EQ(frame.passed_steps.front(), 1) << "thinned to every n-th step, starting with the first";
    EXPECT_GT(frame.passed_steps.back(), 120);
    Frame next;
    watch.fill(next, false);
    EXPECT_EQ(next.passed_steps, frame.passed_steps) << "the frame before was not taken";
    watch.fill(next, true);
    EXPECT_TRUE(next.passed_steps.empty());
}

TEST(TrailMonitor, ManyBodiesHaveTrailsOfDisplayedFramesOnly) {
    Simulation simulation{open_scene({.source = "plummer", .bodies = TrailMonitor::kMostBodies + 1}),
                          {.backend = Backend::kCpu}};
    TrailMonitor watch;
    watch.want(1);
    EXPECT_FALSE(watch.on(simulation));
}

TEST(EnergyMonitor, UsesATwentiethOfTheTimeUnlessStale) {
    using Seconds = std::chrono::duration<double>;
    EXPECT_EQ(EnergyMonitor::gap_after(Seconds{0.001}), Seconds{1});
    EXPECT_EQ(EnergyMonitor::gap_after(Seconds{0.2}), Seconds{4});
    EXPECT_EQ(EnergyMonitor::gap_after(Seconds{1.4}), Seconds{10}) << "limited; a twentieth would need 28 seconds";
    EXPECT_EQ(EnergyMonitor::gap_after(Seconds{5}), Seconds{20});
}

TEST(CheckpointWriter, WritesWhileTheSimulationRuns) {
    try {
        require_checkpoints();
    } catch (const Error& error) {
        GTEST_SKIP() << error.what();
    }
    const auto folder = new_folder();
    const std::string path = (folder / "kept.orrery").string();
    {
        SimulationThread thread{{.source = "plummer", .bodies = 500}, {.backend = Backend::kCpu}};
        thread.send(SetSpeed{0});
        ASSERT_TRUE(eventually([&] { return thread.status().step > 5; }));
        thread.send(SaveState{path, SaveState::By::kItself});
        ASSERT_TRUE(eventually(
            [&] { return thread.status().saving.autosaves == 1 && !thread.status().saving.autosave_pending; }));
        EXPECT_EQ(thread.status().saving.serial, 0u) << "the user did not request it";
        EXPECT_GT(read_run(path).state.steps, 5);
        thread.send(SaveState{(folder / "none" / "kept.orrery").string(), SaveState::By::kItself});
        ASSERT_TRUE(
            eventually([&] { return thread.status().message.text.find("Autosave failed") != std::string::npos; }));
        EXPECT_EQ(thread.status().saving.autosaves, 1u);
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace orrery::test
