// SPDX-License-Identifier: MIT
// Series of snapshots played in place of a simulation.
#include "core/live/series_player.hpp"

#include <cmath>

#include "core/formats/formats.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/live/world.hpp"
#include "core/presets/presets.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

const EngineConfig kExact{.backend = Backend::kCpu, .precision = Precision::kDouble, .threads = 1};

class SeriesPlayed : public Scratch {
protected:
    /// Writes the states of a run with steps of 0.01 after 0, 4, 8, … 40 steps.
    SeriesPlayed() {
        Scene scene = make_preset("plummer", {.bodies = 50});
        scene.dt = 0.01;
        Simulation run{scene, kExact};
        for (int number = 0; number <= 10; ++number) {
            scene.bodies = run.system().bodies();
            scene.time = run.now().time;
            states_.push_back(scene.bodies);
            write_snapshot(scene, path("s" + std::to_string(10 + number) + ".csv"));
            for (int i = 0; i < 4; ++i) run.step();
        }
    }
    SceneRequest request() const { return {.source = path("s*").string()}; }
    /// The state after 4k steps.
    const Bodies& state(std::size_t k) const { return states_[k]; }

private:
    std::vector<Bodies> states_;
};

void expect_same(const Bodies& found, const Bodies& expected) {
    EXPECT_EQ(found.position_mass, expected.position_mass);
    EXPECT_EQ(found.velocity, expected.velocity);
}

TEST_F(SeriesPlayed, StepsVisitSnapshotsForwardAndBackward) {
    World both{open_scene_or_series(request()), kExact, nullptr};
    ASSERT_TRUE(both.motion.player());
    EXPECT_NEAR(both.motion.player()->rate(), 0.4 / 600, 1e-15);
    EXPECT_TRUE(both.apply(SetPlayRate{0.02}));
    const Simulation& shown = both.simulation;
    expect_same(shown.system().bodies(), state(0));
    both.take_steps(3, {});
    EXPECT_NEAR(shown.now().time, 0.06, 1e-15);
    EXPECT_EQ(shown.now().steps, 3);
    both.take_steps(100, {});
    EXPECT_EQ(shown.now().steps, 103);
    expect_same(shown.system().bodies(), state(10));
    EXPECT_TRUE(both.motion.player()->at_end(shown.now().time));
    both.motion.player()->set_backward(true);
    EXPECT_FALSE(both.motion.player()->at_end(shown.now().time));
    both.take_steps(200, {});
    EXPECT_EQ(shown.now().steps, -97);
    expect_same(shown.system().bodies(), state(0));
}

TEST_F(SeriesPlayed, JumpsAreNotSteps) {
    World both{open_scene_or_series(request()), kExact, nullptr};
    SeriesPlayer& player = *both.motion.player();
    Simulation& shown = both.simulation;
    const auto moved = [&] { return player.move(shown, std::chrono::hours{1}); };
    player.go_by(0, +2);
    player.go_by(0, +2);
    EXPECT_EQ(moved(), SeriesPlayer::Moved::kJumped);
    expect_same(shown.system().bodies(), state(4));  // the second jump starts from the target of the first
    both.apply(ShowTime{0.2});
    EXPECT_EQ(moved(), SeriesPlayer::Moved::kJumped);
    EXPECT_NEAR(shown.now().time, 0.2, 1e-15);
    EXPECT_EQ(shown.now().steps, 0);
    player.go_by(0.2 - 1e-3, +1);
    EXPECT_EQ(moved(), SeriesPlayer::Moved::kJumped);
    expect_same(shown.system().bodies(), state(5));
    for (const auto& [by, then] : {std::pair{-2, 3}, {+4, 7}, {+99, 10}, {-1, 9}}) {
        player.go_by(shown.now().time, by);
        moved();
        expect_same(shown.system().bodies(), state(static_cast<std::size_t>(then)));
    }
    EXPECT_EQ(moved(), SeriesPlayer::Moved::kStepped);
    expect_error([&] { both.apply(SetPlayRate{0}); }, Blame::kUsage, "must be positive");
    expect_error([&] { both.apply(ShowTime{NAN}); }, Blame::kUsage, "must be finite");
}

TEST_F(SeriesPlayed, SimulationContinuesFromAnyMoment) {
    for (const char* engine : {"direct", "tree"}) {
        EngineConfig config = kExact;
        config.engine = engine;
        World both{open_scene_or_series(request()), config, nullptr};
        both.apply(SetPlayRate{0.04});
        both.take_steps(3, {});
        both.simulation.evaluate(std::chrono::hours{1});  // as for a displayed frame
        both.take_steps(1, {});
        both.apply(LeaveSeries{});
        EXPECT_FALSE(both.motion.player());
        expect_error([&] { both.apply(LeaveSeries{}); }, Blame::kUsage, "no series is played");
        Simulation straight{open_scene({.source = path("s14.csv").string()}), config};
        straight.set_dt(both.simulation.scene().dt);
        straight.set_gravity(both.simulation.scene().gravity);
        for (int i = 0; i < 4; ++i) straight.step();
        both.take_steps(4, {});
        expect_same(both.simulation.system().bodies(), straight.system().bodies());
        EXPECT_EQ(both.simulation.now().steps, 8);
    }
}

TEST_F(SeriesPlayed, RequiresASeries) {
    expect_error([&] { open_scene(request()); }, Blame::kUsage, "is a series of snapshots");
    World one{open_scene_or_series({.source = path("s10.csv").string()}), kExact, nullptr};
    EXPECT_FALSE(one.motion.player());
    World listed{open_scene_or_series({.source = path("s11.csv").string(), .more = {path("s10.csv").string()}}), kExact,
                 nullptr};
    ASSERT_TRUE(listed.motion.player());
    expect_same(listed.simulation.system().bodies(), state(0));
}

/// Comparison of a series, A, with a run computed from one of its states, B.
class SeriesCompared : public SeriesPlayed {
protected:
    World both{open_scene_or_series(request()), kExact, nullptr};

    SeriesCompared() {
        both.apply(SetPlayRate{0.02});
        both.apply(SetDt{0.01});  // the step of the run that wrote the series
    }
    void begin(double softening) {
        both.apply(SetCompare{{kExact, softening}});
        both.settle(no_refusal);
    }
    CompareStatus status() {
        both.comparison.measure(both.simulation, true);
        Status all;
        both.comparison.report(both.simulation, all);
        return all.compare;
    }
    static void no_refusal(const std::string& why) { FAIL() << why; }
};

TEST_F(SeriesCompared, ReproducesTheSnapshotsOfTheOriginalRun) {
    both.take_steps(2, {});
    begin(both.simulation.scene().gravity.softening);
    for (const bool backward : {false, true}) {
        both.motion.player()->set_backward(backward);
        for (int step = 1; step <= 8; ++step) {
            both.take_steps(1, no_refusal);
            const CompareStatus now = status();
            EXPECT_NEAR(now.time, both.simulation.now().time, 1e-14);
            EXPECT_TRUE(now.of_series);
            // Every second step ends at a snapshot; between snapshots, where the series is interpolated, nothing is
            // measured.
            EXPECT_LT(now.divergence->max, 1e-12) << step;
            EXPECT_NEAR(std::remainder(now.history.back().time, 0.04), 0, 1e-12) << step;
            EXPECT_EQ(now.serial, 1u);
        }
    }
    Frame frame;
    both.comparison.fill(both.simulation, frame);
    EXPECT_EQ(frame.computed, "snapshots");
    ASSERT_TRUE(frame.other);
    EXPECT_EQ(frame.other->computed, "direct, cpu double");
}

TEST_F(SeriesCompared, LongStepsAreMeasuredAtThePassedSnapshots) {
    both.apply(SetPlayRate{0.03});
    begin(both.simulation.scene().gravity.softening);
    both.take_steps(9, no_refusal);  // to 0.27; the preceding snapshot is at 0.24
    const CompareStatus now = status();
    EXPECT_NEAR(now.time, 0.27, 1e-12);
    EXPECT_LT(now.divergence->max, 1e-12);
    ASSERT_EQ(now.history.size(), 7u);
    for (std::size_t k = 0; k < now.history.size(); ++k) {
        EXPECT_NEAR(now.history[k].time, 0.04 * static_cast<double>(k), 1e-12);
        EXPECT_LT(now.history[k].max, 1e-12);
    }
}

TEST_F(SeriesCompared, StartsAtTheNearestSnapshot) {
    both.apply(SetPlayRate{0.03});
    both.take_steps(3, no_refusal);
    both.apply(SetCompare{{kExact, both.simulation.scene().gravity.softening}});
    both.take_steps(1, no_refusal);
    EXPECT_NEAR(both.simulation.now().time, 0.08 + 0.03, 1e-12) << "the nearest to 0.09, and a step";
    EXPECT_EQ(status().serial, 1u);
}

TEST_F(SeriesCompared, RestartsFromThePrecedingSnapshotAfterAJump) {
    begin(both.simulation.scene().gravity.softening);
    both.apply(ShowTime{0.15});
    both.motion.player()->move(both.simulation, std::chrono::hours{1});
    both.settle(no_refusal);
    both.apply(SetPlayRate{0.01});
    both.take_steps(1, no_refusal);
    const CompareStatus now = status();
    EXPECT_EQ(now.serial, 2u);
    EXPECT_NEAR(now.time, 0.16, 1e-12);
    EXPECT_LT(now.divergence->max, 1e-12) << "an interpolated start would be off by 1e-9 and more";
}

TEST_F(SeriesCompared, DivergesWithOtherSettingsAndRestartsAfterAJump) {
    begin(10 * both.simulation.scene().gravity.softening);
    both.take_steps(8, no_refusal);
    const CompareStatus apart = status();
    EXPECT_GT(apart.divergence->rms, 1e-5);
    EXPECT_EQ(apart.serial, 1u);
    both.apply(ShowTime{0.08});
    both.motion.player()->move(both.simulation, std::chrono::hours{1});
    both.settle(no_refusal);
    const CompareStatus restarted = status();
    EXPECT_EQ(restarted.serial, 2u);
    EXPECT_EQ(restarted.divergence->max, 0);
    EXPECT_NEAR(restarted.time, 0.08, 1e-15);
}

TEST_F(SeriesCompared, UsesTheRequestedSteps) {
    const double softening = both.simulation.scene().gravity.softening;
    std::vector<double> errors;
    for (const int power : {0, 1}) {
        both.apply(ShowTime{0});
        both.motion.player()->move(both.simulation, std::chrono::hours{1});
        both.apply(SetCompare{{kExact, softening, power}});
        both.take_steps(4, no_refusal);
        errors.push_back(status().divergence->rms);
    }
    EXPECT_GT(errors[1], 1e3 * errors[0]) << "steps are twice as long";
    both.apply(SetDt{1e-15});
    std::string told;
    both.take_steps(1, [&](const std::string& why) { told = why; });
    EXPECT_NE(told.find("a larger dt may help"), std::string::npos) << told;
    EXPECT_FALSE(both.comparison.on());
}

TEST_F(SeriesCompared, ContinuesWhenTheSeriesIsLeft) {
    begin(both.simulation.scene().gravity.softening);
    both.take_steps(2, no_refusal);
    both.apply(LeaveSeries{});
    both.take_steps(3, no_refusal);
    const CompareStatus now = status();
    EXPECT_FALSE(now.of_series);
    EXPECT_EQ(now.serial, 1u);
    EXPECT_NEAR(now.time, 0.07, 1e-14);
    EXPECT_LT(now.divergence->max, 1e-12);
}

class SeriesThread : public SeriesPlayed {
protected:
    SimulationThread thread{request(), kExact};
    bool at(double time) const {
        return eventually([&] { return std::abs(thread.status().time - time) < 1e-12; });
    }
};

TEST_F(SeriesThread, PlaysToItsEndAndPauses) {
    EXPECT_TRUE(thread.status().source.series.on);
    EXPECT_EQ(thread.status().source.series.times->size(), 11u);
    thread.send(SetSpeed{0});
    ASSERT_TRUE(eventually([&] { return thread.status().pace.paused; }));
    EXPECT_NEAR(thread.status().time, 0.4, 1e-12);
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().time == thread.status().time; }));
    thread.send(SetReversed{true});
    thread.send(SetPaused{false});
    ASSERT_TRUE(eventually([&] { return thread.status().pace.paused && thread.status().time == 0; }))
        << "back to the first";
    thread.send(SetSpeed{60});  // slow enough to be observed
    thread.send(SetPaused{false});
    ASSERT_TRUE(eventually([&] { return !thread.status().pace.paused && thread.status().time > 0; }))
        << "again from the last";
}

TEST_F(SeriesThread, SupportsScrubbingSteppingAndLeaving) {
    thread.send(SetPaused{true});
    thread.send(ShowTime{0.22, true});
    ASSERT_TRUE(at(0.22));
    EXPECT_TRUE(thread.status().source.series.held);
    thread.send(SetPaused{false});
    const auto frames = [&] { return thread.update_frame(); };
    ASSERT_TRUE(eventually(frames));
    EXPECT_NEAR(thread.status().time, 0.22, 1e-12) << "held";
    thread.send(SetPaused{true});
    thread.send(ShowTime{0.22});
    thread.send(RewindBy{+1});
    ASSERT_TRUE(at(0.24));
    thread.send(RewindBy{-2});
    ASSERT_TRUE(at(0.16));
    thread.send(SetPlayRate{0.01});
    thread.send(SingleStep{});
    ASSERT_TRUE(at(0.17));
    thread.send(SingleStep{.back = true});
    ASSERT_TRUE(at(0.16));
    thread.send(LeaveSeries{});
    ASSERT_TRUE(eventually([&] { return !thread.status().source.series.on; }));
    thread.send(SetDt{0.01});
    thread.send(SingleStep{});
    ASSERT_TRUE(at(0.17));
    EXPECT_TRUE(thread.status().pace.paused);
}

TEST_F(SeriesThread, ColoursByForceMatchTheDisplayedMoment) {
    thread.send(SetPaused{true});
    thread.send(SetColorBy{ColorBy::kAcceleration});
    for (const double time : {0.1, 0.3}) {
        thread.send(ShowTime{time});
        ASSERT_TRUE(at(time));
        ASSERT_TRUE(eventually([&] {
            return thread.update_frame() && thread.frame().time == thread.status().time &&
                   thread.frame().no_color.empty();
        })) << time;
        World expected{open_scene_or_series(request()), kExact, nullptr};
        expected.apply(SetColorBy{ColorBy::kAcceleration});
        expected.apply(ShowTime{time});
        expected.motion.player()->move(expected.simulation, std::chrono::hours{1});
        expected.complete(false);
        Frame frame;
        expected.simulation.fill(frame);
        EXPECT_EQ(thread.frame().extent.scalar_high, frame.extent.scalar_high) << time;
    }
}

TEST_F(SeriesThread, ComparesAtEveryDisplayedStep) {
    thread.send(SetPaused{true});
    thread.send(ShowTime{0.12});
    thread.send(SetPlayRate{0.02});
    thread.send(SetCompare{{kExact, thread.status().dynamics.gravity.softening}});
    ASSERT_TRUE(at(0.12));
    ASSERT_TRUE(eventually([&] { return thread.status().compare.on; }));
    const auto together = [&](double time) {
        return eventually([&] {
            return thread.update_frame() && thread.frame().other && std::abs(thread.frame().time - time) < 1e-12 &&
                   std::abs(thread.frame().other->time - time) < 1e-12;
        });
    };
    for (int step = 1; step <= 5; ++step) {
        thread.send(SingleStep{});
        ASSERT_TRUE(together(0.12 + 0.02 * step)) << step;
    }
    EXPECT_EQ(thread.status().compare.serial, 1u);
    thread.send(RewindBy{-3});
    ASSERT_TRUE(together(0.12));
    ASSERT_TRUE(eventually([&] { return thread.status().compare.serial == 2u; })) << "the comparison restarts";
    thread.send(StopCompare{});
    ASSERT_TRUE(eventually([&] { return !thread.status().compare.on; }));
    thread.send(SetSpeed{0});
    thread.send(SetPaused{false});
    ASSERT_TRUE(at(0.4));
}

// Bodies between two snapshots are interpolated; their energy is not that of the run that wrote them.
TEST_F(SeriesThread, MeasuresEnergiesAtSnapshots) {
    thread.send(SetPaused{true});
    thread.send(ShowTime{0});
    ASSERT_TRUE(eventually([&] { return thread.status().energy.now && thread.status().structure.now; }));
    for (const auto& [shown, snapshot] : {std::pair{0.1, 0.08}, {0.39, 0.36}}) {
        thread.send(ShowTime{shown});
        const auto measured = [snapshot](double time) { return std::abs(time - snapshot) < 1e-12; };
        EXPECT_TRUE(eventually([&] { return measured(thread.status().energy.time); })) << shown;
        EXPECT_TRUE(eventually([&] { return measured(thread.status().structure.time); })) << shown;
        EXPECT_LT(std::abs(thread.status().energy.drift().value_or(1)), 1e-5) << shown;
    }
}

TEST_F(SeriesThread, RecordingReceivesEveryStepOfTheSeries) {
    thread.send(SetPaused{true});
    thread.send(LoadScene{request()});
    thread.send(SetPlayRate{0.03});
    thread.send(SetPacing{2});
    thread.send(SetPaused{false});
    for (int frame = 0; frame < 4; ++frame) {
        ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().paced; }));
        EXPECT_EQ(thread.frame().step, 2 * frame);
        EXPECT_NEAR(thread.frame().time, 0.06 * frame, 1e-12);
        thread.acknowledge_frame();
    }
}

}  // namespace
}  // namespace orrery::test
