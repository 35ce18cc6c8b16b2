// SPDX-License-Identifier: MIT
// Time in both directions, and restoring earlier states.
#include "core/live/rewind.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>

#include "core/base/error.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/presets/presets.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

Simulation plummer(std::size_t bodies, const EngineConfig& engine = {}) {
    return Simulation{make_preset("plummer", {.bodies = bodies}), engine};
}

double distance(const Bodies& a, const Bodies& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Vec3d off = xyz(a.position_mass[i]) - xyz(b.position_mass[i]);
        most = std::max(most, std::sqrt(dot(off, off)));
    }
    return most;
}

TEST(Reverse, RetracesStepsUpToRounding) {
    for (const auto& [precision, rounding] : {std::pair{Precision::kSingle, 2e-4}, {Precision::kDouble, 1e-12}}) {
        Simulation simulation = plummer(200, {.precision = precision});
        const Bodies start = simulation.system().bodies();
        for (int i = 0; i < 100; ++i) simulation.step();
        EXPECT_GT(distance(start, simulation.system().bodies()), 100 * rounding) << "the bodies hardly moved";
        simulation.set_reversed(true);
        for (int i = 0; i < 100; ++i) simulation.step();
        EXPECT_LT(distance(start, simulation.system().bodies()), rounding);
        EXPECT_NEAR(simulation.now().time, 0, 1e-12);
        EXPECT_EQ(simulation.now().steps, 0);
        EXPECT_EQ(simulation.now().moment, 200u);
        simulation.step();
        EXPECT_EQ(simulation.now().steps, -1) << "steps before the start are negative";
        EXPECT_LT(simulation.now().time, 0);
    }
}

TEST(Reverse, TakesEffectOnlyBetweenSteps) {
    Simulation simulation = plummer(3000), straight = plummer(3000);
    while (!simulation.within_step()) ASSERT_FALSE(simulation.advance(1us)) << "the step is too fast to be interrupted";
    simulation.set_reversed(true);
    while (!simulation.advance(1s)) {
    }
    straight.step();
    EXPECT_EQ(simulation.system().bodies().position_mass, straight.system().bodies().position_mass);
    EXPECT_EQ(simulation.now().steps, 1);
}

TEST(Rewound, AnotherEngineOrPrecisionContinuesFromEqualPositions) {
    Simulation simulation = plummer(300);
    for (int i = 0; i < 3; ++i) simulation.step();
    const Snapshot snapshot = simulation.snapshot();
    const Bodies then = simulation.system().bodies();
    simulation.step();
    simulation.set_engine({.engine = "half", .precision = Precision::kDouble});
    simulation.restore(snapshot);
    EXPECT_EQ(simulation.system().bodies().position_mass, then.position_mass) << "float fits into double";
    EXPECT_FALSE(simulation.forces().fresh()) << "the accelerations are those of another engine";
    simulation.step();
    EXPECT_EQ(simulation.now().steps, 4);
}

TEST(Rewound, APartialStepIsAbandoned) {
    Simulation simulation = plummer(3000), straight = plummer(3000);
    simulation.step();
    const Snapshot snapshot = simulation.snapshot();
    while (!simulation.within_step()) ASSERT_FALSE(simulation.advance(1us)) << "the step is too fast to be interrupted";
    simulation.restore(snapshot);
    EXPECT_FALSE(simulation.within_step());
    simulation.step();
    straight.step(), straight.step();
    EXPECT_EQ(simulation.system().bodies().position_mass, straight.system().bodies().position_mass);
}

Snapshot fake(std::uint64_t moment, std::size_t bytes = 100) {
    return {.bodies = {.bytes = std::vector<std::byte>(bytes)},
            .steps = static_cast<std::int64_t>(moment),
            .moment = moment};
}

TEST(SnapshotRing, StaysWithinBudgetAndThinsTheDistantPast) {
    SnapshotRing ring;
    ring.set_budget(2000);
    for (std::uint64_t moment = 0; moment <= 1000; ++moment) {
        ring.add(fake(moment));
        ASSERT_LE(ring.bytes(), 2000u);
    }
    const auto moments = *ring.moments();
    ASSERT_EQ(moments.size(), 20u) << "the budget is used";
    EXPECT_EQ(moments.front().moment, 0u);
    EXPECT_EQ(moments.back().moment, 1000u);
    EXPECT_LE(moments[19].moment - moments[17].moment, 8u) << "the recent past is fine-grained";
    EXPECT_GE(moments[2].moment - moments[0].moment, 100u) << "the distant past is coarse-grained";
    // No holes: a gap is never much larger than the age of its snapshots.
    for (std::size_t i = 1; i < moments.size(); ++i) {
        const auto age = 1000 - moments[i - 1].moment, gap = moments[i].moment - moments[i - 1].moment;
        EXPECT_LE(gap, age / 2 + 8) << "after " << moments[i - 1].moment;
    }
    ring.set_budget(500);
    EXPECT_EQ(ring.moments()->size(), 5u);
    EXPECT_EQ(ring.moments()->front().moment, 0u);
    EXPECT_EQ(ring.moments()->back().moment, 1000u);
}

TEST(SnapshotRing, FindsNearestAndAdjacentSnapshots) {
    SnapshotRing ring;
    ring.set_budget(10'000);
    for (const std::uint64_t moment : {0, 10, 20, 30}) ring.add(fake(moment));
    EXPECT_EQ(ring.nearest(0).moment, 0u);
    EXPECT_EQ(ring.nearest(14).moment, 10u);
    EXPECT_EQ(ring.nearest(16).moment, 20u);
    EXPECT_EQ(ring.nearest(99).moment, 30u);
    EXPECT_EQ(ring.beside(20, -1).moment, 10u);
    EXPECT_EQ(ring.beside(25, -1).moment, 20u);
    EXPECT_EQ(ring.beside(25, 1).moment, 30u);
    EXPECT_EQ(ring.beside(20, 1).moment, 30u);
    EXPECT_EQ(ring.beside(5, 1).moment, 10u);
    EXPECT_EQ(ring.beside(25, 0).moment, 20u);
    EXPECT_EQ(ring.beside(20, 0).moment, 20u);
    EXPECT_EQ(ring.beside(0, -1).moment, 0u);
    EXPECT_EQ(ring.beside(30, 5).moment, 30u);
    ring.drop_after(15);
    EXPECT_EQ(ring.moments()->back().moment, 10u);
    EXPECT_EQ(ring.bytes(), 200u);
    EXPECT_TRUE(ring.fits(3333));
    EXPECT_FALSE(ring.fits(3334));
    ring.set_budget(9999);
    EXPECT_TRUE(ring.fits(3333));
    Snapshot labelled = fake(40);
    auto labels = std::make_shared<Bodies>();
    labels->ids = {7, 8, 9};
    labelled.labels = labels;
    ring.add(labelled);
    EXPECT_EQ(ring.bytes(), 200u + 100u + 24u) << "its own ids count towards the size";
}

TEST(SnapshotRing, DropsSnapshotsOnlyWhenOverBudget) {
    SnapshotRing ring;
    ring.set_budget(300);
    for (const std::uint64_t moment : {0, 10, 11}) ring.add(fake(moment));
    EXPECT_EQ(ring.moments()->size(), 3u) << "just within its budget";
    ring.drop_after(11);
    EXPECT_EQ(ring.moments()->size(), 3u);
    ring.drop_after(10);
    EXPECT_EQ(ring.moments()->size(), 2u);
    ring.add(fake(12));
    ring.add(fake(20));
    // (12 − 0)/(1 + 20 − 10) is more than (20 − 10)/(1 + 20 − 12)
    EXPECT_EQ(*ring.moments(), (std::vector<Moment>{{0, 0, 0}, {12, 12, 0}, {20, 20, 0}}));
    ring.set_budget(0);
    EXPECT_EQ(ring.moments()->size(), 2u) << "the first and the last stay";
    EXPECT_EQ(ring.bytes(), 200u);
}

TEST(SnapshotRing, LimitsTheNumberOfSnapshots) {
    SnapshotRing ring;
    ring.set_budget(1'000'000);
    for (std::uint64_t moment = 0; moment < SnapshotRing::kMost; ++moment) ring.add(fake(moment, 1));
    EXPECT_EQ(ring.moments()->size(), SnapshotRing::kMost);
    ring.add(fake(SnapshotRing::kMost, 1));
    EXPECT_EQ(ring.moments()->size(), SnapshotRing::kMost);
}

/// Runs until there are some snapshots, then pauses.
void run_and_pause(SimulationThread& thread) {
    ASSERT_TRUE(eventually([&] { return thread.status().timeline.moments->size() >= 5; }));
    thread.send(SetPaused{true});
    ASSERT_TRUE(eventually([&] { return thread.status().pace.paused; }));
}

/// The frame of that step, which may not have been published yet.
std::vector<Vec4f> frame_of(SimulationThread& thread, std::int64_t step) {
    EXPECT_TRUE(eventually([&] { return (thread.update_frame(), thread.frame().step == step); }));
    return thread.frame().host;
}

TEST(RewindMonitor, DiscardsTheFutureAfterAnyNumberOfSteps) {
    Simulation simulation = plummer(100);
    RewindMonitor watch;
    watch.restart(simulation);
    const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i) simulation.step();
    };
    for (int i = 0; i < 3; ++i) run(10), watch.set_budget(simulation, RewindMonitor::kStandardBudget);
    watch.go_by(simulation, -2);
    ASSERT_EQ(simulation.now().moment, 10u);
    run(25);
    watch.stepped(simulation, 25);
    Timeline timeline;
    watch.report_to(simulation, timeline);
    ASSERT_GE(timeline.moments->size(), 2u);
    EXPECT_EQ((*timeline.moments)[1].moment, 10u) << "the snapshot that was restored stays";
    for (const Moment& m : *timeline.moments) EXPECT_TRUE(m.moment <= 10 || m.moment == 35) << m.moment;
}

TEST(SimulationThreadRewind, RewindsAndRepeatsTheSameSteps) {
    SimulationThread thread{{.source = "plummer", .bodies = 400}, {}};
    run_and_pause(thread);
    const std::int64_t end = thread.status().step;
    const auto at_end = frame_of(thread, end);
    const Moment target = (*thread.status().timeline.moments)[2];
    thread.send(Rewind{target.moment, true});
    ASSERT_TRUE(eventually([&] { return thread.status().step == target.step; }));
    EXPECT_DOUBLE_EQ(thread.status().time, target.time);
    EXPECT_TRUE(thread.status().timeline.held);
    const auto at_target = frame_of(thread, target.step);
    EXPECT_NE(at_target, at_end);
    thread.send(SetPaused{false});
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(thread.status().step, target.step) << "steps were taken while held";
    thread.send(SetPaused{true});
    thread.send(Rewind{target.moment, false});
    for (std::int64_t step = target.step; step < end; ++step) {
        thread.send(SingleStep{});
        ASSERT_TRUE(eventually([&] { return thread.status().step == step + 1; }));
    }
    EXPECT_EQ(frame_of(thread, end), at_end) << "other steps followed";
}

TEST(SimulationThreadRewind, ReturnsToThePresentUntilAStepIsTaken) {
    SimulationThread thread{{.source = "plummer", .bodies = 400}, {}};
    run_and_pause(thread);
    const std::int64_t end = thread.status().step;
    const auto at_end = frame_of(thread, end);
    thread.send(RewindBy{-3});
    ASSERT_TRUE(eventually([&] { return thread.status().step < end; }));
    EXPECT_EQ(thread.status().timeline.moments->back().step, end) << "the future is still there";
    thread.send(RewindBy{100});
    ASSERT_TRUE(eventually([&] { return thread.status().step == end; }));
    EXPECT_EQ(frame_of(thread, end), at_end);
    thread.send(Rewind{0, false});
    thread.send(SingleStep{});
    ASSERT_TRUE(eventually([&] { return thread.status().step == 1; }));
    EXPECT_LE(thread.status().timeline.moments->back().step, 1) << "the old future must be discarded";
}

TEST(SimulationThreadRewind, StepsForwardAndBackward) {
    SimulationThread thread{{.source = "figure-eight"}, {.precision = Precision::kDouble}};
    thread.send(SetPaused{true});
    ASSERT_TRUE(eventually([&] { return thread.status().pace.paused; }));
    const std::int64_t step = thread.status().step;
    const auto here = frame_of(thread, step);
    thread.send(SingleStep{});
    ASSERT_TRUE(eventually([&] { return thread.status().step == step + 1; }));
    thread.send(SingleStep{.back = true});
    ASSERT_TRUE(eventually([&] { return thread.status().step == step; }));
    EXPECT_TRUE(thread.status().pace.paused);
    const auto back = frame_of(thread, step);
    for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(back[i].x, here[i].x, 1e-6);
    thread.send(SetReversed{true});
    thread.send(SetPaused{false});
    EXPECT_TRUE(eventually([&] { return thread.status().step < -20 && thread.status().time < 0; }));
    EXPECT_TRUE(thread.status().pace.reversed);
}

TEST(SimulationThreadRewind, StaysWithinBudgetAndReportsWhenItIsTooSmall) {
    SimulationThread thread{{.source = "plummer", .bodies = 1000}, {}};
    const std::size_t each = 1000 * 3 * sizeof(Vec4f);
    thread.send(SetRewindBudget{4 * each});
    ASSERT_TRUE(eventually([&] { return thread.status().timeline.moments->size() == 4; }));
    EXPECT_EQ(thread.status().timeline.bytes, 4 * each);
    thread.send(SetRewindBudget{2 * each});
    ASSERT_TRUE(eventually([&] { return !thread.status().timeline.note.empty(); }));
    EXPECT_EQ(thread.status().timeline.bytes, 0u);
    thread.send(RewindBy{-1});
    ASSERT_TRUE(eventually(
        [&] { return thread.status().message.text.find("rewinding is not possible") != std::string::npos; }));
    thread.send(SetRewindBudget{100 * each});
    thread.send(SetPaused{false});
    EXPECT_TRUE(eventually([&] { return thread.status().timeline.moments->size() > 4; }));
}

/// A device that loses a state.
class LostCopy final : public BodyCopy {
public:
    BodyState state() const override { throw Error{Blame::kEnvironment, "bringing a state to the host: lost"}; }
    bool at_hand() const override { return false; }
};

Timeline timeline_of(const RewindMonitor& watch, const Simulation& simulation) {
    Timeline timeline;
    watch.report_to(simulation, timeline);
    return timeline;
}

TEST(RewindMonitor, ReportsWhyASnapshotIsMissingAndContinues) {
    Simulation simulation = plummer(100);
    int copies = 0;
    RewindMonitor watch{[&](const BodySystem& system) -> std::shared_ptr<const BodyCopy> {
        if (++copies == 1) return std::make_shared<LostCopy>();
        if (copies == 2) throw Error{Blame::kEnvironment, "keeping a state: no memory"};
        return system.copy();
    }};
    watch.restart(simulation);
    const auto steps_until = [&](const std::function<bool(const Timeline&)>& seen) {
        return eventually([&] {
            simulation.step();
            watch.stepped(simulation, 1);
            return seen(timeline_of(watch, simulation));
        });
    };
    const auto noted = [](const char* why) {
        return [why](const Timeline& t) { return t.note.find(why) != std::string::npos && t.moments->empty(); };
    };
    EXPECT_TRUE(steps_until(noted("could not be kept: bringing a state to the host: lost")));
    EXPECT_TRUE(steps_until(noted("could not be kept: keeping a state: no memory")));
    EXPECT_TRUE(steps_until([](const Timeline& t) { return t.note.empty() && !t.moments->empty(); }));

    copies = 0;
    watch.restart(simulation);
    try {
        watch.go_by(simulation, -1);  // waits for the lost snapshot, and takes another
        FAIL() << "there is no snapshot";
    } catch (const Error& error) {
        EXPECT_NE(std::string{error.what()}.find("keeping a state: no memory"), std::string::npos) << error.what();
    }
}

TEST(SimulationThreadRewind, IsRefusedDuringARecording) {
    SimulationThread thread{{.source = "plummer", .bodies = 100}, {}};
    thread.send(SetPacing{1});
    thread.send(RewindBy{-1});
    EXPECT_TRUE(eventually([&] { return thread.status().message.text.find("recording") != std::string::npos; }));
}

}  // namespace
}  // namespace orrery::test
