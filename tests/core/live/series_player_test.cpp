// SPDX-License-Identifier: MIT
// Snapshots played in place of a simulation.
#include "core/live/series_player.hpp"

#include "core/formats/formats.hpp"
#include "core/live/compared_simulation.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/presets/presets.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

const EngineConfig kExact{.backend = Backend::kCpu, .precision = Precision::kDouble, .threads = 1};

class SeriesPlayed : public Scratch {
protected:
    /// Of a run with steps of 0.01: the states after 0, 4, 8, … 40 steps.
    SeriesPlayed() {
        Scene scene = make_preset("plummer", {.bodies = 50});
        scene.dt = 0.01;
        Simulation run{scene, kExact};
        for (int number = 0; number <= 10; ++number) {
            scene.bodies = run.system().bodies();
            scene.time = run.time();
            states_.push_back(scene.bodies);
            write_snapshot(scene, path("s" + std::to_string(10 + number) + ".csv"));
            for (int i = 0; i < 4; ++i) run.step();
        }
    }
    SceneRequest request() const { return {.source = path("s*").string()}; }
    /// After k · 4 steps.
    const Bodies& state(std::size_t k) const { return states_[k]; }

private:
    std::vector<Bodies> states_;
};

void expect_same(const Bodies& found, const Bodies& expected) {
    EXPECT_EQ(found.position_mass, expected.position_mass);
    EXPECT_EQ(found.velocity, expected.velocity);
}

TEST_F(SeriesPlayed, StepsLeadFromSnapshotToSnapshotAndBack) {
    ComparedSimulation both{open_scene_or_series(request()), kExact, nullptr};
    ASSERT_TRUE(both.player);
    EXPECT_NEAR(both.player->rate(), 0.4 / 600, 1e-15);
    EXPECT_TRUE(both.apply(SetPlayRate{0.02}));
    const Simulation& shown = both.simulation;
    expect_same(shown.system().bodies(), state(0));
    both.take_steps(3, {});
    EXPECT_NEAR(shown.time(), 0.06, 1e-15);
    EXPECT_EQ(shown.steps(), 3);
    both.take_steps(100, {});
    EXPECT_EQ(shown.steps(), 103);
    expect_same(shown.system().bodies(), state(10));
    EXPECT_TRUE(both.player->at_end(shown.time()));
    both.player->set_backward(true);
    EXPECT_FALSE(both.player->at_end(shown.time()));
    both.take_steps(200, {});
    EXPECT_EQ(shown.steps(), -97);
    expect_same(shown.system().bodies(), state(0));
}

TEST_F(SeriesPlayed, JumpsAreNoSteps) {
    ComparedSimulation both{open_scene_or_series(request()), kExact, nullptr};
    SeriesPlayer& player = *both.player;
    Simulation& shown = both.simulation;
    const auto moved = [&] { return player.move(shown, std::chrono::hours{1}); };
    player.go_by(0, +2);
    player.go_by(0, +2);
    EXPECT_EQ(moved(), SeriesPlayer::Moved::kJumped);
    expect_same(shown.system().bodies(), state(4));  // the second from where the first leads
    both.apply(ShowTime{0.2});
    EXPECT_EQ(moved(), SeriesPlayer::Moved::kJumped);
    EXPECT_NEAR(shown.time(), 0.2, 1e-15);
    EXPECT_EQ(shown.steps(), 0);
    player.go_by(0.2 - 1e-3, +1);
    EXPECT_EQ(moved(), SeriesPlayer::Moved::kJumped);
    expect_same(shown.system().bodies(), state(5));
    for (const auto& [by, then] : {std::pair{-2, 3}, {+4, 7}, {+99, 10}, {-1, 9}}) {
        player.go_by(shown.time(), by);
        moved();
        expect_same(shown.system().bodies(), state(static_cast<std::size_t>(then)));
    }
    EXPECT_EQ(moved(), SeriesPlayer::Moved::kStepped);
    expect_error([&] { both.apply(SetPlayRate{0}); }, Blame::kUsage, "must be positive");
    expect_error([&] { both.apply(ShowTime{NAN}); }, Blame::kUsage, "must be finite");
}

TEST_F(SeriesPlayed, TheSimulationGoesOnFromAnyMoment) {
    for (const char* engine : {"direct", "tree"}) {
        EngineConfig config = kExact;
        config.engine = engine;
        ComparedSimulation both{open_scene_or_series(request()), config, nullptr};
        both.apply(SetPlayRate{0.04});
        both.take_steps(3, {});
        both.simulation.evaluate(std::chrono::hours{1});  // for a picture
        both.take_steps(1, {});
        both.apply(LeaveSeries{});
        EXPECT_FALSE(both.player);
        expect_error([&] { both.apply(LeaveSeries{}); }, Blame::kUsage, "no series is played");
        Simulation straight{open_scene({.source = path("s14.csv").string()}), config};
        straight.set_dt(both.simulation.dt());
        straight.set_gravity(both.simulation.gravity());
        for (int i = 0; i < 4; ++i) straight.step();
        both.take_steps(4, {});
        expect_same(both.simulation.system().bodies(), straight.system().bodies());
        EXPECT_EQ(both.simulation.steps(), 8);
    }
}

TEST_F(SeriesPlayed, NeedsASeries) {
    expect_error([&] { open_scene(request()); }, Blame::kUsage, "is a series of snapshots");
    ComparedSimulation one{open_scene_or_series({.source = path("s10.csv").string()}), kExact, nullptr};
    EXPECT_FALSE(one.player);
    ComparedSimulation listed{
        open_scene_or_series({.source = path("s11.csv").string(), .more = {path("s10.csv").string()}}), kExact,
        nullptr};
    ASSERT_TRUE(listed.player);
    expect_same(listed.simulation.system().bodies(), state(0));
    expect_error([&] { listed.apply(SetCompare{}); }, Blame::kUsage, "a comparison needs a simulation");
}

class SeriesThread : public SeriesPlayed {
protected:
    SimulationThread thread{request(), kExact};
    bool at(double time) const {
        return eventually([&] { return std::abs(thread.status().time - time) < 1e-12; });
    }
};

TEST_F(SeriesThread, PlaysToItsEndAndRestsThere) {
    EXPECT_TRUE(thread.status().series.on);
    EXPECT_EQ(thread.status().series.times->size(), 11u);
    thread.send(SetSpeed{0});
    ASSERT_TRUE(eventually([&] { return thread.status().paused; }));
    EXPECT_NEAR(thread.status().time, 0.4, 1e-12);
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().time == thread.status().time; }));
    thread.send(SetReversed{true});
    thread.send(SetPaused{false});
    ASSERT_TRUE(eventually([&] { return thread.status().paused && thread.status().time == 0; })) << "back to the first";
    thread.send(SetSpeed{60});  // slow enough to be seen
    thread.send(SetPaused{false});
    ASSERT_TRUE(eventually([&] { return !thread.status().paused && thread.status().time > 0; }))
        << "again from the last";
}

TEST_F(SeriesThread, IsScrubbedSteppedAndLeft) {
    thread.send(SetPaused{true});
    thread.send(ShowTime{0.22, true});
    ASSERT_TRUE(at(0.22));
    EXPECT_TRUE(thread.status().series.held);
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
    ASSERT_TRUE(eventually([&] { return !thread.status().series.on; }));
    thread.send(SetDt{0.01});
    thread.send(SingleStep{});
    ASSERT_TRUE(at(0.17));
    EXPECT_TRUE(thread.status().paused);
}

TEST_F(SeriesThread, ColoursOfForcesAreThoseOfTheMomentShown) {
    thread.send(SetPaused{true});
    thread.send(SetColorBy{ColorBy::kAcceleration});
    for (const double time : {0.1, 0.3}) {
        thread.send(ShowTime{time});
        ASSERT_TRUE(at(time));
        ASSERT_TRUE(eventually([&] {
            return thread.update_frame() && thread.frame().time == thread.status().time &&
                   thread.frame().no_color.empty();
        })) << time;
        ComparedSimulation expected{open_scene_or_series(request()), kExact, nullptr};
        expected.apply(SetColorBy{ColorBy::kAcceleration});
        expected.apply(ShowTime{time});
        expected.player->move(expected.simulation, std::chrono::hours{1});
        expected.complete(false);
        Frame frame;
        expected.simulation.fill(frame);
        EXPECT_EQ(thread.frame().extent.scalar_high, frame.extent.scalar_high) << time;
    }
}

TEST_F(SeriesThread, ARecordingGetsEachStepOfTheSeries) {
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
