// SPDX-License-Identifier: MIT
#include "core/live/simulation_thread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <numeric>
#include <thread>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/new_folder.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

TEST(SimulationThread, StepsAndPublishesFrames) {
    SimulationThread thread{{.source = "plummer", .bodies = 300}, {}};
    thread.send(SetSpeed{0});
    ASSERT_TRUE(eventually([&] { return thread.status().step > 20; }));
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().step > 20; }));
    EXPECT_EQ(thread.frame().count, 300u);
    ASSERT_TRUE(eventually([&] { return thread.status().force.timing.count > 10; }));
    EXPECT_GT(thread.status().force.timing.median, 0);
    EXPECT_LE(thread.status().force.timing.low, thread.status().force.timing.high);
    EXPECT_GT(thread.status().force.pairs_per_second, 0);
}

TEST(SimulationThread, PausesAndTakesSingleSteps) {
    SimulationThread thread{{.source = "plummer", .bodies = 100}, {}};
    thread.send(SetPaused{true});
    ASSERT_TRUE(eventually([&] { return thread.status().pace.paused; }));
    const std::int64_t step = thread.status().step;
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(thread.status().step, step);
    thread.send(SingleStep{});
    ASSERT_TRUE(eventually([&] { return thread.status().step == step + 1; }));
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(thread.status().step, step + 1);
    thread.send(SetPaused{false});
    EXPECT_TRUE(eventually([&] { return thread.status().step > step + 1; }));
}

/// Also while paused, and after each change of θ.
TEST(SimulationThread, FramesShowTheErrorsOfTheCurrentForces) {
    const auto tree = [](double theta) {
        return EngineConfig{.engine = "tree", .precision = Precision::kDouble, .tree = {.theta = theta, .order = 1}};
    };
    SimulationThread thread{{.source = "plummer", .bodies = 1000}, tree(0.9)};
    thread.send(SetPaused{true});
    thread.send(SetColorBy{ColorBy::kError});
    const auto shown_below = [&](double high) {
        return eventually([&] {
            if (!thread.update_frame()) return false;
            const Frame& frame = thread.frame();
            return frame.no_color.empty() && frame.extent.color_by == ColorBy::kError &&
                   frame.extent.scalar_high < high;
        });
    };
    ASSERT_TRUE(shown_below(1));
    const double coarse = thread.frame().extent.scalar_high;
    EXPECT_GT(coarse, 1e-4);
    thread.send(SetEngine{tree(0.2)});
    ASSERT_TRUE(shown_below(coarse / 4));
    thread.send(SetEngine{{.precision = Precision::kDouble}});
    ASSERT_TRUE(shown_below(1e-10));
    thread.send(SetEngine{tree(0.9)});
    thread.send(SetPaused{false});
    ASSERT_TRUE(eventually([&] {
        return thread.update_frame() && thread.frame().step > 3 && thread.frame().extent.scalar_high > coarse / 4;
    })) << "and while steps are taken";
    thread.send(SetPacing{1});
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().paced; }));
    EXPECT_EQ(thread.frame().no_color, "");
}

/// The user first checks the guessed step of a file without one.
TEST(SimulationThread, SnapshotWithGuessedValuesWaitsForStart) {
    const std::filesystem::path folder = new_folder();
    const std::string guessed = folder / "a.tipsy", stated = folder / "a.csv";
    const Scene scene = make_preset("plummer", {200});
    write_snapshot(scene, guessed), write_snapshot(scene, stated);
    SimulationThread thread{{.source = guessed}, {}, nullptr, true};
    EXPECT_TRUE(thread.status().scene.waits_for_start);
    EXPECT_TRUE(thread.status().pace.paused);
    EXPECT_EQ(thread.status().step, 0);
    EXPECT_TRUE(thread.status().scene.facts.dt_suggested);
    thread.send(SetPaused{false});
    ASSERT_TRUE(eventually([&] { return thread.status().step > 0; }));
    EXPECT_FALSE(thread.status().scene.waits_for_start);
    thread.send(LoadScene{.request = {.source = stated}, .look_first = true});
    ASSERT_TRUE(eventually([&] { return thread.status().scene.serial == 2 && thread.status().step > 0; }));
    thread.send(LoadScene{.request = {.source = guessed}});
    ASSERT_TRUE(eventually([&] { return thread.status().scene.serial == 3 && thread.status().step > 0; }));
    thread.send(LoadScene{.request = {.source = guessed, .softening = 0.1, .dt = 1e-3}, .look_first = true});
    ASSERT_TRUE(eventually([&] { return thread.status().scene.serial == 4 && thread.status().step > 0; }))
        << "both were chosen";
    std::filesystem::remove_all(folder);
}

/// Otherwise a recording would start with a step backward.
TEST(SimulationThread, PendingStepIsDroppedByTheNextScene) {
    SimulationThread thread{{.source = "plummer", .bodies = 8000}, {}};  // its steps take longer than these requests
    const auto paced = [&] { return thread.update_frame() && thread.frame().paced; };
    thread.send(SingleStep{true});
    thread.send(LoadScene{{.source = "plummer", .bodies = 50}});
    thread.send(SetPacing{1});
    thread.send(SetPaused{false});
    for (std::int64_t step = 0; step < 3; ++step) {
        ASSERT_TRUE(eventually(paced));
        EXPECT_EQ(thread.frame().step, step);
        thread.acknowledge_frame();
    }
}

// A session replays each engine, even two within one slice: the one in float leaves its rounding.
TEST(SimulationThread, CreatesEveryEngineWhileRecording) {
    const EngineConfig exact{.precision = Precision::kDouble}, coarse{.precision = Precision::kSingle};
    SimulationThread thread{{.source = "plummer", .bodies = 50, .dt = 1e-300}, exact};
    const auto paced = [&] { return thread.update_frame() && thread.frame().paced; };
    const auto rounded_to_float = [&] {
        return std::ranges::all_of(thread.frame().watched,
                                   [](const Vec4d& p) { return p == convert<double>(convert<float>(p)); });
    };
    thread.send(Inspect{std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{0, 1, 2})});
    thread.send(SetPacing{1});
    ASSERT_TRUE(eventually(paced));
    ASSERT_EQ(thread.frame().watched.size(), 3u);
    EXPECT_FALSE(rounded_to_float());
    thread.send(SetEngine{coarse});
    thread.send(SetEngine{exact});
    thread.acknowledge_frame();
    ASSERT_TRUE(eventually(paced));
    EXPECT_TRUE(rounded_to_float());
}

TEST(SimulationThread, ReportsTileSizeAndNetForce) {
    SimulationThread thread{{.source = "plummer", .bodies = 1000}, {.engine = "half", .tile_size = 96}};
    ASSERT_TRUE(eventually([&] { return thread.status().engine.report.tile_size == 96; }));
    ASSERT_TRUE(eventually([&] { return thread.status().force.net.has_value(); }));
    EXPECT_GT(*thread.status().force.net, 0) << "rounding errors are expected";
    EXPECT_LT(*thread.status().force.net, 1e-6);
    thread.send(SetEngine{{.engine = "half"}});
    ASSERT_TRUE(eventually([&] { return thread.status().engine.report.tile_size == 64; })) << "the engine's own choice";
    thread.send(SetEngine{{.engine = "direct"}});
    ASSERT_TRUE(eventually([&] { return thread.status().engine.config.engine == "direct"; }));
    EXPECT_EQ(thread.status().engine.report.tile_size, 0);
}

TEST(SimulationThread, ReportsTheLadderOfIndividualSteps) {
    SimulationThread thread{{.source = "plummer", .bodies = 500}, {.engine = "tree"}};
    ASSERT_TRUE(eventually([&] { return thread.status().step > 0; }));
    EXPECT_TRUE(thread.status().dynamics.ladder.empty());
    thread.send(SetIntegrator{"leapfrog-block", 0.01});
    ASSERT_TRUE(eventually([&] { return !thread.status().dynamics.ladder.empty(); }));
    const auto ladder = thread.status().dynamics.ladder;
    EXPECT_EQ(std::accumulate(ladder.begin(), ladder.end(), std::size_t{0}), 500u);
}

TEST(SimulationThread, FramesIncludeTreeCellsOnRequest) {
    SimulationThread thread{{.source = "plummer", .bodies = 2000}, {.engine = "tree"}};
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().step > 2; }));
    EXPECT_FALSE(thread.frame().cells);
    thread.send(SetCells{20'000});
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().cells; }));
    const std::vector<TreeCell>& cells = *thread.frame().cells;
    EXPECT_EQ(cells.front().level, 0);
    EXPECT_EQ(cells.front().bodies, 2000u);
    std::uint32_t in_leaves = 0;
    for (const TreeCell& cell : cells) in_leaves += cell.leaf ? cell.bodies : 0;
    EXPECT_EQ(in_leaves, 2000u);
    thread.send(SetCells{100});
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().cells->size() <= 100; }));
    thread.send(SetEngine{{.engine = "direct"}});
    ASSERT_TRUE(eventually([&] {
        return thread.update_frame() && thread.frame().cells && thread.frame().cells->empty();
    })) << "requested without a tree: a replay evaluates for them too";
    thread.send(SetEngine{{.engine = "tree"}});
    thread.send(SetCells{0});
    ASSERT_TRUE(eventually([&] { return thread.status().actions_done == 5 && thread.status().step > 5; }));
    ASSERT_TRUE(eventually([&] { return thread.update_frame(); }));
    EXPECT_FALSE(thread.frame().cells);
}

TEST(SimulationThread, CellsFollowTheEngineWhilePaused) {
    SimulationThread thread{{.source = "plummer", .bodies = 2000}, {.engine = "tree"}};
    thread.send(SetPaused{true});
    thread.send(SetCells{100'000});
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().cells; }));
    const std::size_t before = thread.frame().cells->size();
    const std::int64_t step = thread.frame().step;  // the status may still be that of the previous step
    thread.send(SetEngine{{.engine = "tree", .tree = {.leaf = 64}}});
    ASSERT_TRUE(
        eventually([&] { return thread.update_frame() && thread.frame().cells && thread.frame().step == step; }));
    EXPECT_LT(thread.frame().cells->size(), before / 2) << "leaves of 64 bodies in place of 16";
    EXPECT_TRUE(eventually([&] { return thread.status().step == step; }));
}

TEST(SimulationThread, StepInterruptedByAPauseIsFinishedForTheCells) {
    SimulationThread thread{{.source = "plummer", .bodies = 60'000}, {.engine = "tree", .threads = 1}};
    const auto computing = [&] {
        const double progress = thread.status().force.progress;
        return progress > 0 && progress < 1;
    };
    const auto within_a_step = [&] {
        thread.send(SetPaused{false});
        if (!eventually(computing)) return false;
        thread.send(SetPaused{true});
        return eventually([&] { return thread.status().pace.paused; }) && computing();
    };
    ASSERT_TRUE(eventually(within_a_step));
    thread.send(SetCells{100});
    EXPECT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().cells; }));
    EXPECT_TRUE(thread.status().pace.paused);
}

TEST(SimulationThread, MeasuresErrorOverThetaAndDiscardsItWithTheScene) {
    const auto bodies = everyday<std::size_t>(300, 1000);
    SimulationThread thread{{.source = "plummer", .bodies = bodies}, {.engine = "tree"}};
    thread.send(MeasureTheta{true});
    ASSERT_TRUE(eventually([&] {
        const ThetaSweep sweep = thread.status().force.theta_sweep;
        return sweep.planned > 0 && !sweep.running;
    }));
    const ThetaSweep sweep = thread.status().force.theta_sweep;
    ASSERT_EQ(sweep.points.size(), sweep.planned) << sweep.failure;
    EXPECT_EQ(sweep.bodies, bodies);
    for (const int order : {1, 2}) {
        double last = 1, first = 0;
        for (const ThetaPoint& point : sweep.points) {
            if (point.order != order) continue;
            if (first == 0) first = point.error.rms;
            EXPECT_LT(point.error.rms, last) << "order " << order << ", theta " << point.theta;
            EXPECT_GT(point.seconds, 0);
            last = point.error.rms;
        }
        EXPECT_LT(last, first / 8) << "from theta 1.0 to 0.3";
    }
    thread.send(LoadScene{{.source = "plummer", .bodies = 100}});
    ASSERT_TRUE(eventually([&] { return thread.status().bodies == 100; }));
    EXPECT_TRUE(eventually([&] { return thread.status().force.theta_sweep.planned == 0; }));
    thread.send(SetEngine{{.engine = "direct"}});
    thread.send(MeasureTheta{true});
    EXPECT_TRUE(eventually([&] { return thread.status().message.text.find("has no tree") != std::string::npos; }));
}

TEST(SimulationThread, SweepCanBeStopped) {
    SimulationThread thread{{.source = "plummer", .bodies = 20'000}, {.engine = "tree"}};
    thread.send(MeasureTheta{true});
    ASSERT_TRUE(eventually([&] { return !thread.status().force.theta_sweep.points.empty(); }));
    thread.send(MeasureTheta{false});
    ASSERT_TRUE(eventually([&] { return !thread.status().force.theta_sweep.running; }));
    const std::size_t points = thread.status().force.theta_sweep.points.size();
    EXPECT_LT(points, thread.status().force.theta_sweep.planned);
    std::this_thread::sleep_for(300ms);
    EXPECT_EQ(thread.status().force.theta_sweep.points.size(), points);
}

TEST(SimulationThread, WaitsForTheWindowWhenPaced) {
    SimulationThread thread{{.source = "plummer", .bodies = 100}, {}};
    thread.send(SetPacing{3});
    const auto paced = [&] { return thread.update_frame() && thread.frame().paced; };
    ASSERT_TRUE(eventually(paced));
    std::int64_t step = thread.frame().step;
    for (int frame = 0; frame < 5; ++frame) {
        std::this_thread::sleep_for(10ms);
        EXPECT_FALSE(thread.update_frame()) << "continued without the window";
        thread.acknowledge_frame();
        ASSERT_TRUE(eventually(paced));
        EXPECT_EQ(thread.frame().step, step + 3) << "a frame was dropped";
        step = thread.frame().step;
    }
    thread.send(SetPacing{0});
    EXPECT_TRUE(eventually([&] { return thread.status().step > step + 6; }));
}

TEST(SimulationThread, MeasuresEnergyAndForceError) {
    SimulationThread thread{{.source = "plummer", .bodies = 500}, {}};
    ASSERT_TRUE(eventually([&] { return thread.status().energy.drift().has_value(); }));
    ASSERT_TRUE(eventually([&] { return thread.status().force.error.has_value(); }));
    EXPECT_LT(thread.status().force.error->rms, 2e-6);
    EXPECT_LT(std::abs(*thread.status().energy.drift()), 0.01);
}

TEST(SimulationThread, ObeysTheSpeedLimit) {
    SimulationThread thread{{.source = "plummer", .bodies = 10}, {}};
    thread.send(SetSpeed{100});
    ASSERT_TRUE(eventually([&] { return thread.status().pace.speed_limit == 100; }));
    const std::int64_t before = thread.status().step;
    const auto start = Clock::now();
    ASSERT_TRUE(eventually([&] { return thread.status().step >= before + 50; }));
    EXPECT_GT(Clock::now() - start, 350ms);
}

class EverySimulationThread : public NeedsEngine {
protected:
    static std::size_t enough() {
        return GetParam().on_software_gl() ? 100 : GetParam().few_on_host<std::size_t>(300, 1000);
    }
};

// On a device a whole slice of steps is queued.
TEST_P(EverySimulationThread, RespondsBetweenSlicesAndCountsEveryStep) {
    const int many = GetParam().few_on_host(100, 300);
    SimulationThread thread{{.source = "plummer", .bodies = enough()}, GetParam().config()};
    thread.send(SetSpeed{0});
    ASSERT_TRUE(eventually([&] { return thread.status().step > many; }));
    const auto sent = Clock::now();
    thread.send(SetPaused{true});
    ASSERT_TRUE(eventually([&] { return thread.status().pace.paused; }));
    EXPECT_LT(Clock::now() - sent, 10s);
    std::int64_t step = thread.status().step;
    thread.send(SingleStep{});
    ASSERT_TRUE(eventually([&] { return thread.status().step == step + 1; }));
    thread.send(SingleStep{.back = true});
    ASSERT_TRUE(eventually([&] { return thread.status().step == step; }));
    thread.send(SetPaused{false});
    thread.send(SetPacing{70});
    const auto paced = [&] { return thread.update_frame() && thread.frame().paced; };
    ASSERT_TRUE(eventually(paced));
    step = thread.frame().step;
    for (int frame = 0; frame < 3; ++frame) {
        thread.acknowledge_frame();
        ASSERT_TRUE(eventually(paced));
        EXPECT_EQ(thread.frame().step, step + 70);
        step = thread.frame().step;
    }
    thread.send(SetPacing{0});
    ASSERT_TRUE(eventually([&] { return thread.status().step > step + many; }));
}

TEST_P(EverySimulationThread, RewindsAtFullSpeed) {
    SimulationThread thread{{.source = "plummer", .bodies = enough()}, GetParam().config()};
    thread.send(SetSpeed{0});
    ASSERT_TRUE(eventually([&] { return thread.status().timeline.moments->size() > 3; }));
    thread.send(RewindBy{.snapshots = -2});
    ASSERT_TRUE(eventually([&] { return thread.status().pace.paused; }));
    const Timeline there = thread.status().timeline;
    const auto known = std::ranges::find(*there.moments, there.now);
    ASSERT_NE(known, there.moments->end()) << "between two snapshots";
    const auto before = static_cast<std::size_t>(known - there.moments->begin());
    EXPECT_LT(before + 1, there.moments->size()) << "later snapshots are kept";
    thread.send(SetPaused{false});
    ASSERT_TRUE(eventually([&] { return thread.status().timeline.now.moment > there.moments->back().moment; }));
    const auto moments = thread.status().timeline.moments;
    ASSERT_GT(moments->size(), before);
    EXPECT_EQ((*moments)[before], there.now);
}

TEST_P(EverySimulationThread, PausesAtANonFiniteBody) {
    SimulationThread thread{{.source = "plummer", .bodies = enough()}, GetParam().config()};
    thread.send(SetSpeed{0});
    ASSERT_TRUE(eventually([&] { return thread.status().step > 100; }));
    thread.send(SetDt{1e37});
    ASSERT_TRUE(eventually([&] { return thread.status().pace.paused; }));
    EXPECT_NE(thread.status().message.text.find("is no longer finite after step"), std::string::npos)
        << thread.status().message.text;
}

INSTANTIATE_TEST_SUITE_P(Menu, EverySimulationThread, ::testing::ValuesIn([] {
                             std::vector<EngineCase> cases = every_engine();
                             std::erase_if(cases, [](const EngineCase& c) {
                                 const bool one =
                                     c.entry->id == "direct" || c.entry->id == "half" || c.entry->id == "tree";
                                 return !one || c.deterministic || c.precision != Precision::kSingle;
                             });
                             return cases;
                         }()),
                         case_name);

TEST(SimulationThread, ThrowsForAnInvalidSceneOrEngine) {
    EXPECT_THROW((SimulationThread{{.source = "no-such-scene"}, {}}), Error);
    EXPECT_THROW((SimulationThread{{.source = "plummer"}, {.engine = "none"}}), Error);
}

}  // namespace
}  // namespace orrery::test
