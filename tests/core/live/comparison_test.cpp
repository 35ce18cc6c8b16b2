// SPDX-License-Identifier: MIT
#include "core/live/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>

#include "core/base/error.hpp"
#include "core/engines/menu.hpp"
#include "core/live/simulation_thread.hpp"
#include "core/presets/presets.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

using namespace std::chrono_literals;

/// A and B, stepped in the way the thread of a window does.
struct Pair {
    Simulation a;
    Comparison b;

    explicit Pair(EngineConfig engine = {}, std::size_t bodies = 300, int steps_before = 3)
        : a{make_preset("plummer", {bodies, 1}), engine} {
        for (int i = 0; i < steps_before; ++i) a.step();
    }
    CompareSettings like_a() const { return {.engine = a.engine_config(), .softening = a.scene().gravity.softening}; }
    void catch_up() {
        while (b.due(a)) b.work(a, 1h);
    }
    void start(const CompareSettings& settings) {
        b.set(settings);
        catch_up();
    }
    void step(int times = 1) {
        for (int i = 0; i < times; ++i) {
            a.step();
            b.a_stepped(a);
            catch_up();
        }
    }
    CompareStatus status() {
        b.measure(a, true);
        Status all;
        b.report(a, all);
        return all.compare;
    }
};

TEST(Comparison, MeasuresDistancesBetweenBodiesOfEqualIndex) {
    Bodies a, b;
    a.add({0, 0, 0}, {}, 1), a.add({1, 0, 0}, {}, 1);
    b.add({0, 3, 4}, {}, 1), b.add({1, 0, 0}, {}, 1);
    const Divergence far = divergence(a, b);
    EXPECT_DOUBLE_EQ(far.rms, std::sqrt(25.0 / 2));
    EXPECT_EQ(far.max, 5);
    EXPECT_EQ(far.body, 0u);
}

class EqualSettings : public testing::TestWithParam<EngineEntry> {};

TEST_P(EqualSettings, NeverDiverge) {
    const EngineEntry& entry = GetParam();
    if (const std::string why = unavailable(entry); !why.empty()) GTEST_SKIP() << why;
    EngineConfig config{.engine = std::string{entry.id}, .backend = entry.backend};
    config.deterministic = entry.has_deterministic_mode();
    if (!entry.repeats(config)) GTEST_SKIP() << "is not reproducible";
    Pair pair{config, 200};
    pair.start(pair.like_a());
    pair.step(20);
    const CompareStatus status = pair.status();
    ASSERT_TRUE(status.on && status.divergence);
    EXPECT_EQ(status.time, pair.a.now().time);
    EXPECT_EQ(status.divergence->rms, 0);
    EXPECT_EQ(status.divergence->max, 0);
    EXPECT_EQ(status.force.count, 20u);
}

INSTANTIATE_TEST_SUITE_P(Menu, EqualSettings, testing::ValuesIn(engines().begin(), engines().end()),
                         [](const auto& of) {
                             std::string id{of.param.id};
                             std::erase(id, '-');
                             return id + "_" + std::string{name(of.param.backend)};
                         });

/// A on OpenGL beside B with the same engine on the CPU. A relative error of both forces moves a body by half of it
/// times the acceleration and the square of the time.
TEST_P(EqualSettings, OnOpenGlAndOnTheCpuDivergeByTheirTolerances) {
    const EngineEntry& entry = GetParam();
    if (entry.backend != Backend::kGl || entry.id == "kernel") GTEST_SKIP() << "has no version on the CPU";
    if (const std::string why = unavailable(entry); !why.empty()) GTEST_SKIP() << why;
    Pair pair{{.engine = std::string{entry.id}, .backend = Backend::kGl}, 1000, 0};
    CompareSettings other = pair.like_a();
    other.engine.backend = Backend::kCpu;
    pair.start(other);
    pair.step(25);
    const CompareStatus status = pair.status();
    ASSERT_TRUE(status.on && status.divergence);
    double squares = 0;
    for (const Vec4d& a : pair.a.system().accelerations()) squares += dot(xyz(a), xyz(a));
    const double acceleration = std::sqrt(squares / static_cast<double>(pair.a.system().count()));
    const double tolerance =
        entry.tolerance(pair.a.engine_config()) + engine(entry.id, Backend::kCpu).tolerance(other.engine);
    const double time = pair.a.now().time, rounding = 25 * 1.2e-7;  // of positions of about 1, in each step
    EXPECT_GT(status.divergence->rms, 0) << "otherwise it is the same engine";
    EXPECT_LE(status.divergence->rms, tolerance * acceleration * time * time / 2 + rounding);
}

// A has scaled its criterion before B starts, and measures its error again in later steps.
TEST(Comparison, EqualSettingsNeverDivergeWithKeptAccuracy) {
    EngineConfig config{.engine = "tree", .backend = Backend::kCpu};
    config.tree.accuracy = 1e-4, config.tree.keep_accuracy = true;
    Pair pair{config, 1000, 6};
    ASSERT_GT(pair.a.system().accuracy_to_keep(), 0);
    ASSERT_NE(pair.a.forces().acceptance().factor, 1);
    pair.start(pair.like_a());
    pair.step(80);
    const CompareStatus status = pair.status();
    ASSERT_TRUE(status.divergence);
    EXPECT_EQ(status.divergence->max, 0);
}

TEST(Comparison, DirectAndTreeDivergeIncreasingly) {
    Pair pair{{}, 1000};
    CompareSettings other = pair.like_a();
    other.engine.engine = "tree";
    other.engine.tree.theta = 1;
    pair.start(other);
    pair.step(5);
    const double early = pair.status().divergence->rms;
    EXPECT_GT(early, 0);
    pair.step(60);
    const CompareStatus late = pair.status();
    EXPECT_GT(late.divergence->rms, 4 * early);
    EXPECT_GE(late.divergence->max, late.divergence->rms);
    EXPECT_LT(late.divergence->rms, 0.1) << "a Plummer sphere of radius 1 must stay together";
    EXPECT_EQ(late.history.front().rms, early);
}

TEST(Comparison, ChangingSettingsKeepsBodiesOfB) {
    Pair pair;
    CompareSettings b = pair.like_a();
    pair.start(b);
    pair.step(3);
    b.softening *= 2;
    pair.start(b);
    EXPECT_EQ(pair.status().divergence->max, 0);
    pair.step(10);
    EXPECT_GT(pair.status().divergence->max, 0);
    EXPECT_EQ(pair.status().serial, 1u);
    pair.b.restart();
    pair.catch_up();
    EXPECT_EQ(pair.status().divergence->max, 0);
    EXPECT_EQ(pair.status().serial, 2u);
    EXPECT_EQ(pair.status().settings, b) << "a restart changes no setting";
}

class StepsOfB : public testing::TestWithParam<int> {};

TEST_P(StepsOfB, EndWhereStepsOfAEnd) {
    const int power = GetParam();
    EngineConfig engine;
    engine.precision = Precision::kDouble;
    Pair pair{engine};
    CompareSettings b = pair.like_a();
    b.dt_power = power;
    pair.start(b);
    pair.step(64);
    const CompareStatus status = pair.status();
    EXPECT_NEAR(status.time, pair.a.now().time, 1e-12);
    if (power == 0)
        EXPECT_EQ(status.divergence->max, 0);
    else
        EXPECT_GT(status.divergence->max, 0);
}

INSTANTIATE_TEST_SUITE_P(Powers, StepsOfB, testing::Values(-6, -1, 0, 1, 6), [](const auto& of) {
    return (of.param < 0 ? "minus" : "") + std::to_string(std::abs(of.param));
});

TEST(Comparison, StaysExactWhenBothStepsShrink) {
    Pair pair;
    pair.start(pair.like_a());
    pair.step(3);
    pair.a.set_dt(pair.a.scene().dt / 3);
    pair.step(3);
    EXPECT_EQ(pair.status().divergence->max, 0);
    EXPECT_EQ(pair.status().time, pair.a.now().time);
}

TEST(Comparison, BothRunBackwardTogether) {
    Pair pair;
    pair.start(pair.like_a());
    pair.step(5);
    const double there = pair.a.now().time;
    pair.a.set_reversed(true);
    pair.step(3);
    EXPECT_LT(pair.a.now().time, there);
    EXPECT_EQ(pair.status().time, pair.a.now().time);
    EXPECT_EQ(pair.status().divergence->max, 0);
}

TEST(Comparison, RestartsWhenAJumps) {
    Pair pair;
    pair.start(pair.like_a());
    pair.step(2);
    Simulation elsewhere{make_preset("plummer", {300, 2}), {}};
    elsewhere.step();
    pair.a = std::move(elsewhere);
    EXPECT_TRUE(pair.b.due(pair.a));
    pair.catch_up();
    EXPECT_EQ(pair.status().serial, 2u);
    EXPECT_EQ(pair.status().divergence->max, 0);
    pair.step(3);
    EXPECT_EQ(pair.status().divergence->max, 0);
}

TEST(Comparison, RefusalsChangeNothing) {
    Pair pair;
    CompareSettings b = pair.like_a();
    b.engine.engine = "nothing";
    EXPECT_THROW(pair.b.set(b), Error);
    EXPECT_FALSE(pair.b.due(pair.a));
    b = pair.like_a();
    pair.start(b);
    for (CompareSettings wrong :
         {CompareSettings{.engine = b.engine, .softening = -1}, CompareSettings{.engine = b.engine, .dt_power = 7},
          CompareSettings{.engine = {.engine = "tree", .tree = {.theta = -1}}}}) {
        EXPECT_THROW(pair.b.set(wrong), Error);
        EXPECT_EQ(pair.status().settings, b);
    }
    pair.step(2);
    EXPECT_EQ(pair.status().divergence->max, 0);
}

TEST(Comparison, ThinnedSeriesIsShortAndSpansTheWholeRun) {
    ThinnedSeries<int> series;
    for (int i = 0; i < 100'000; ++i) series.add(i);
    EXPECT_LE(series.points().size(), ThinnedSeries<int>::kMost);
    EXPECT_GE(series.points().size(), ThinnedSeries<int>::kMost / 2);
    EXPECT_EQ(series.points().front(), 0);
    EXPECT_GT(series.points().back(), 99'000);
    const int gap = series.points()[1];
    for (std::size_t i = 1; i < series.points().size(); ++i)
        ASSERT_EQ(series.points()[i] - series.points()[i - 1], gap);
}

TEST(ComparisonThread, FramesShowBothAtEqualTimes) {
    SimulationThread thread{{.source = "plummer", .bodies = 300}, {}};
    CompareSettings b{.engine = {}, .softening = thread.status().dynamics.gravity.softening * 3};
    thread.send(SetPaused{true});
    thread.send(SetCompare{b});
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().other; })) << "although paused";
    thread.send(SetPaused{false});
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().step > 20; }));
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(eventually([&] { return thread.update_frame(); }));
        EXPECT_EQ(thread.frame().other->time, thread.frame().time);
        EXPECT_EQ(thread.frame().other->count, 300u);
    }
    ASSERT_TRUE(eventually([&] { return thread.status().compare.energy_b.size() > 1; }));
    ASSERT_TRUE(eventually([&] { return thread.status().compare.energy_a.size() > 1; }));
    EXPECT_EQ(thread.status().compare.energy_a.front().drift, 0);
    EXPECT_GT(thread.status().compare.divergence->rms, 0);
    thread.send(SetDifferences{true});
    thread.send(SetPaused{true});
    ASSERT_TRUE(eventually([&] {
        thread.update_frame();
        const auto& other = thread.frame().other;
        return other && other->host[7].w < 0;  // a logarithm; speeds are positive
    }));
    thread.send(LoadScene{{.source = "plummer", .bodies = 100}});
    ASSERT_TRUE(
        eventually([&] { return thread.update_frame() && thread.frame().other && thread.frame().count == 100; }));
    EXPECT_EQ(thread.frame().other->count, 100u);
    thread.send(StopCompare{});
    ASSERT_TRUE(eventually([&] { return thread.update_frame() && !thread.frame().other; }));
    EXPECT_TRUE(eventually([&] { return !thread.status().compare.on; }));
}

TEST(ComparisonThread, ShowsTheForceErrorsOfBoth) {
    const auto tree = [](double theta) {
        return EngineConfig{.engine = "tree", .precision = Precision::kDouble, .tree = {.theta = theta, .order = 1}};
    };
    SimulationThread thread{{.source = "plummer", .bodies = 500}, tree(0.9)};
    thread.send(SetColorBy{ColorBy::kError});
    thread.send(SetCompare{{.engine = tree(0.2), .softening = thread.status().dynamics.gravity.softening}});
    const auto largest = [](const Frame& frame) { return std::ranges::max(frame.host, {}, &Vec4f::w).w; };
    EXPECT_TRUE(eventually([&] {
        if (!thread.update_frame() || !thread.frame().other) return false;
        const Frame &a = thread.frame(), &b = *a.other;
        return a.no_color.empty() && b.no_color.empty() && largest(b) > 0 && largest(b) < largest(a) / 4;
    }));
}

/// Each pair of energies belongs to one time, and the first to the common initial state.
TEST(ComparisonThread, EqualRunsHaveEqualEnergies) {
    SimulationThread thread{{.source = "cold-sphere", .bodies = 500}, {}};
    ASSERT_TRUE(eventually([&] { return thread.status().energy.now && thread.status().step > 50; }));
    thread.send(SetCompare{{.engine = {}, .softening = thread.status().dynamics.gravity.softening}});
    const auto curves = [&] { return thread.status().compare; };
    ASSERT_TRUE(eventually([&] { return curves().energy_a.size() > 2 && curves().energy_b.size() > 2; }));
    const CompareStatus both = curves();
    ASSERT_EQ(both.energy_a.size(), both.energy_b.size());
    EXPECT_EQ(both.energy_a.front().drift, 0);
    EXPECT_NE(both.energy_a.back().drift, 0);
    for (std::size_t i = 0; i < both.energy_a.size(); ++i) {
        EXPECT_EQ(both.energy_a[i].time, both.energy_b[i].time) << i;
        EXPECT_EQ(both.energy_a[i].drift, both.energy_b[i].drift) << i;
    }
    EXPECT_EQ(both.divergence->max, 0);
}

/// With a longer step of B, both reach the same time only occasionally.
TEST(ComparisonThread, EnergiesBelongToOneTimeIfStepsDiffer) {
    SimulationThread thread{{.source = "cold-sphere", .bodies = 500}, {}};
    thread.send(SetCompare{{.engine = {}, .softening = thread.status().dynamics.gravity.softening, .dt_power = 3}});
    ASSERT_TRUE(eventually([&] { return thread.status().compare.energy_b.size() > 2; }));
    const CompareStatus both = thread.status().compare;
    ASSERT_EQ(both.energy_a.size(), both.energy_b.size());
    for (std::size_t i = 0; i < both.energy_a.size(); ++i) EXPECT_EQ(both.energy_a[i].time, both.energy_b[i].time) << i;
    EXPECT_NE(both.energy_a.back().drift, both.energy_b.back().drift);
}

/// Energies under another force law cannot be compared with those before.
TEST(ComparisonThread, EnergiesRestartUnderAnotherLaw) {
    SimulationThread thread{{.source = "cold-sphere", .bodies = 500}, {}};
    const double softening = thread.status().dynamics.gravity.softening;
    thread.send(SetCompare{{.engine = {}, .softening = softening}});
    const auto first_time = [&] {
        const CompareStatus both = thread.status().compare;
        return both.energy_a.empty() ? -1.0 : both.energy_a.front().time;
    };
    ASSERT_TRUE(eventually([&] { return first_time() >= 0; }));
    const double before = first_time();
    thread.send(SetCompare{{.engine = {}, .softening = 2 * softening}});
    ASSERT_TRUE(eventually([&] { return first_time() > before; }));
    const CompareStatus both = thread.status().compare;
    EXPECT_EQ(both.energy_a.front().time, both.energy_b.front().time);
    EXPECT_EQ(both.energy_b.front().drift, 0);
}

/// B is usually behind because its engine is far slower.
TEST(ComparisonThread, PacedFramesAppearOncePerPairOfSteps) {
    SimulationThread thread{{.source = "plummer", .bodies = 2000}, {.engine = "tree"}};
    thread.send(
        SetCompare{{.engine = {.engine = "reference"}, .softening = thread.status().dynamics.gravity.softening}});
    ASSERT_TRUE(eventually([&] { return thread.status().compare.on; }));
    thread.send(SetPacing{2});
    std::uint64_t last = 0;
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().paced; }));
        if (i > 0) {
            EXPECT_EQ(thread.frame().step, last + 2);
        }
        EXPECT_EQ(thread.frame().other->time, thread.frame().time);
        last = thread.frame().step;
        thread.acknowledge_frame();
    }
}

/// As when a recording starts: B is usually behind then, and another B starts between two frames.
TEST(ComparisonThread, PacedFramesOfANewSceneStartAtItsFirstStep) {
    SimulationThread thread{{.source = "plummer", .bodies = 2000}, {.engine = "tree"}};
    const CompareSettings slow{.engine = {.engine = "reference"}, .softening = 0.05};
    thread.send(SetCompare{slow});
    ASSERT_TRUE(eventually([&] { return thread.status().compare.on; }));
    const std::int64_t then = thread.status().step;
    ASSERT_TRUE(eventually([&] { return thread.status().step > then; }));
    thread.send(StopCompare{});
    thread.send(LoadScene{{.source = "plummer", .bodies = 100}});
    thread.send(SetPacing{2});
    for (std::int64_t i = 0; i < 4; ++i) {
        ASSERT_TRUE(eventually([&] { return thread.update_frame() && thread.frame().paced; }));
        EXPECT_EQ(thread.frame().step, 2 * i);
        if (i == 0) thread.send(SetCompare{{.engine = {.engine = "reference"}, .softening = 0.05, .dt_power = 1}});
        thread.acknowledge_frame();
    }
}

}  // namespace
}  // namespace orrery::test
