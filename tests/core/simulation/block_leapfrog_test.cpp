// SPDX-License-Identifier: MIT
// Leapfrog with block steps: evaluation of due bodies by every capable engine, accuracy and savings, and refusals.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "core/bodies/sampling.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

constexpr EngineConfig kBlockDouble{.precision = Precision::kDouble, .threads = 1};
constexpr const char* kBlock = "leapfrog-block";

std::vector<EngineCase> every_due_engine() {
    std::vector<EngineCase> cases;
    for (const EngineCase& c : every_engine())
        if (why_incompatible(integrator(kBlock), *c.entry, c.config()).empty()) cases.push_back(c);
    return cases;
}

/// A cluster whose centre needs shorter steps than its halo.
Scene cluster(std::size_t bodies) {
    Scene scene = make_preset("plummer", {bodies, 3});
    scene.gravity.softening = 1e-3;
    scene.dt = 1.0 / 4;
    scene.adaptive = 0.3;
    return scene;
}

std::size_t sum(const std::vector<std::size_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

class EveryDueEngine : public NeedsEngine {
protected:
    bool on_host() const { return GetParam().entry->backend == Backend::kCpu; }
};

/// At several times within an interval, in which bodies move far and a tree is rebuilt or not.
TEST_P(EveryDueEngine, EvaluatesOnlyDueBodies) {
    for (const std::size_t count : {65, 1000, GetParam().few_on_host(2500, 5000)}) {
        const Scene scene = cluster(count);
        const auto system = make_body_system(GetParam().config(), scene.bodies);
        system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
        StepPower& steps = require_steps(*system);
        steps.begin_steps({false, scene.dt, scene.adaptive, scene.gravity.softening});
        EXPECT_EQ(sum(steps.ladder()), count);
        for (int time = 0; time < 12; ++time) {
            const std::vector<Vec4d> before = system->accelerations();
            const DueBodies due = steps.predict();
            if (due.at_end) break;
            ASSERT_GT(due.count, 0u);
            const std::uint64_t items = steps.begin_due_forces(scene.gravity, Potential::kSkip);
            system->run_forces(0, items / 2);
            system->run_forces(items / 2, items);
            system->wait();
            std::vector<std::uint32_t> changed;
            std::vector<Vec4d> found;
            const std::vector<Vec4d> after = system->accelerations();
            for (std::uint32_t i = 0; i < count; ++i)
                if (xyz(after[i]) != xyz(before[i])) changed.push_back(i), found.push_back(after[i]);
            EXPECT_EQ(changed.size(), due.count) << "out of " << count;
            EXPECT_LE(compare(found, system->references(scene.gravity, changed)).rms,
                      std::max(3 * GetParam().tolerance(), 2e-5))
                << changed.size() << " of " << count;
            steps.correct();
        }
    }
}

TEST_P(EveryDueEngine, ExcludesSelfPotentialOfDueBodies) {
    Scene scene = cluster(1000);
    scene.gravity.softening = GetParam().precision == Precision::kDouble ? 1e-18 : 1e-6;
    const auto system = make_body_system(GetParam().config(), scene.bodies);
    system->run_forces(0, system->begin_forces(scene.gravity, Potential::kSkip));
    StepPower& steps = require_steps(*system);
    steps.begin_steps({false, scene.dt, scene.adaptive, 1e-3});
    const std::vector<Vec4d> before = system->accelerations();
    ASSERT_GT(steps.predict().count, 0u);
    system->run_forces(0, steps.begin_due_forces(scene.gravity, Potential::kCompute));
    system->wait();
    const std::vector<Vec4d> found = system->accelerations(),
                             wanted = accelerations({.engine = "reference", .precision = Precision::kDouble},
                                                    system->bodies(), scene.gravity, Potential::kCompute);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (xyz(found[i]) != xyz(before[i])) {
            ASSERT_NEAR(found[i].w, wanted[i].w, 3e-3 * std::abs(wanted[i].w)) << i;
        }
}

TEST_P(EveryDueEngine, EqualsLeapfrogBitwiseWithoutShorterSteps) {
    if (!GetParam().entry->repeats(GetParam().config())) GTEST_SKIP() << "its order of summation varies";
    Scene scene = make_preset("plummer", {500, 3});
    scene.gravity.softening = 0.5;
    scene.dt = 1.0 / 64;
    scene.adaptive = 1;
    Simulation block{scene, GetParam().config(), kBlock};
    scene.adaptive = 0;
    Simulation plain{scene, GetParam().config(), "leapfrog"};
    for (int i = 0; i < 6; ++i) block.step(), plain.step();
    EXPECT_EQ(require_steps(block.system()).ladder(), (std::vector<std::size_t>{500}));
    EXPECT_EQ(block.snapshot().bodies.bytes, plain.snapshot().bodies.bytes);
    EXPECT_EQ(block.forces().body_forces(), plain.forces().body_forces());
}

TEST_P(EveryDueEngine, IsBitwiseEqualForAnyThreadsAndSlicing) {
    if (!GetParam().entry->repeats(GetParam().config())) GTEST_SKIP() << "its order of summation varies";
    const auto after = [&](int threads, bool cut) {
        EngineConfig config = GetParam().config();
        config.threads = threads;
        Simulation simulation{cluster(on_host() ? everyday(1000, 3000) : 3000), config, kBlock};
        for (int i = 0; i < 2; ++i)
            while (!simulation.advance(cut ? std::chrono::seconds{0} : std::chrono::hours{1})) {
            }
        return simulation.snapshot().bodies.bytes;
    };
    const auto one = after(1, false);
    EXPECT_EQ(after(1, true), one);
    if (on_host()) {
        EXPECT_EQ(after(3, false), one);
    }
}

/// Coincident, massless and single bodies, and all together with one that is not finite.
TEST_P(EveryDueEngine, HandlesDegenerateBodies) {
    Scene scene = cluster(300);
    for (std::size_t i = 0; i < 20; ++i) scene.bodies.position_mass[i] = scene.bodies.position_mass[0];
    for (std::size_t i = 20; i < 60; ++i) scene.bodies.position_mass[i].w = 0;
    Simulation together{scene, GetParam().config(), kBlock};
    for (int i = 0; i < 2; ++i) EXPECT_NO_THROW(together.step());

    Scene lonely;
    lonely.bodies.add({1, 2, 3}, {4, 5, 6}, 1);
    lonely.dt = 0.5;
    for (const double softening : {0.0, 0.1}) {
        lonely.gravity.softening = softening;
        Simulation alone{lonely, GetParam().config(), kBlock};
        for (int i = 0; i < 4; ++i) alone.step();
        EXPECT_EQ(alone.system().bodies().position_mass[0], (Vec4d{9, 12, 15, 1}));
    }

    scene.bodies.velocity[7].y = GetParam().precision == Precision::kSingle ? 3e38 : 1e308;
    scene.dt = 4;
    Simulation lost{scene, GetParam().config(), kBlock};
    EXPECT_THROW(for (int i = 0; i < 50; ++i) lost.step(), Error);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryDueEngine, testing::ValuesIn(every_due_engine()), case_name);

/// A binary of eccentricity 0.9 and semi-major axis 1 at its apocentre, and a distant body hardly affected by it.
Scene ellipse_and_far_body() {
    Scene scene;
    const double far = 1.9, slow = std::sqrt(0.1 / 1.9);
    scene.bodies.add({far / 2, 0, 0}, {0, slow / 2, 0}, 0.5);
    scene.bodies.add({-far / 2, 0, 0}, {0, -slow / 2, 0}, 0.5);
    scene.bodies.add({0, 0, 200}, {0.05, 0, 0}, 1e-3);
    return scene;
}

struct Outcome {
    double energy_error;  ///< the largest at the end of an interval
    std::uint64_t forces;
};

Outcome after_twenty_periods(Scene scene, const char* integrator) {
    const auto energy = [&](const Bodies& bodies) { return diagnose(bodies, scene.gravity, kBlockDouble).total(); };
    const double before = energy(scene.bodies), every = scene.dt;
    Simulation simulation{scene, kBlockDouble, integrator};
    Outcome found{0, 0};
    for (double next = every; simulation.now().time < 126;) {
        simulation.step();
        if (simulation.now().time < next - 1e-9) continue;
        next += 1.0 / 16;
        found.energy_error = std::max(found.energy_error, std::abs(energy(simulation.system().bodies()) / before - 1));
    }
    found.forces = simulation.forces().body_forces();
    return found;
}

TEST(BlockLeapfrog, ResolvesAnEccentricBinaryWithAFractionOfTheForces) {
    Scene scene = ellipse_and_far_body();
    scene.dt = 1.0 / 16;
    scene.adaptive = 0.001;
    const Outcome block = after_twenty_periods(scene, kBlock);
    scene.adaptive = 0;
    scene.dt = 1.0 / 1024;
    const Outcome shared = after_twenty_periods(scene, "leapfrog");
    EXPECT_LT(block.energy_error, 0.01);
    EXPECT_LT(block.energy_error, 1.5 * shared.energy_error);
    EXPECT_LT(8 * block.forces, shared.forces);
}

TEST(BlockLeapfrog, ConvergesWithSecondOrder) {
    const auto error = [](double eta) {
        double squares = 0;
        for (unsigned seed = 1; seed <= 10; ++seed) {
            Scene scene = make_preset("plummer", {100, seed});
            scene.gravity.softening = 0.05;
            scene.adaptive = eta;
            scene.dt = 1.0 / 8;
            const double before = diagnose(scene.bodies, scene.gravity, kBlockDouble).total();
            Simulation simulation{scene, kBlockDouble, kBlock};
            for (int i = 0; i < 16; ++i) simulation.step();
            const double after = diagnose(simulation.system().bodies(), scene.gravity, kBlockDouble).total();
            squares += (after / before - 1) * (after / before - 1);
        }
        return std::sqrt(squares);
    };
    EXPECT_NEAR(std::log2(error(0.02) / error(0.02 / 64)) / 3, 2, 0.5) << "step divided by eight";
}

TEST(BlockLeapfrog, StepsMatchTheFormulas) {
    const Vec4d before{4, 0, 0, 0}, grown{9, 0, 0, 0}, more{5, 0, 0, 0}, fallen{1, 0, 0, 0}, fast{100, 0, 0, 0},
        slow{0, 0.1, 0, 0};
    const double h = 0.1, s = std::sqrt(2 * 0.02);
    EXPECT_DOUBLE_EQ(unsoftened_step(0.02, h, before, grown, fast, 0.0), s * 6 / 50) << "|a|/|da/dt|";
    EXPECT_DOUBLE_EQ(unsoftened_step(0.02, h, before, more, slow, 0.0), s * std::sqrt((0.1 + 0.5) / 10)) << "v";
    EXPECT_DOUBLE_EQ(unsoftened_step(0.02, h, before, fallen, fast, 0.0), s * 2 / 30);
    EXPECT_DOUBLE_EQ(unsoftened_step(0.02, h, before, fallen, fast, 0.5), 0.5 - 0.75 * s * h) << "predicted zero force";
    EXPECT_EQ(unsoftened_step(0.02, h, before, before, fast, 0.5), HUGE_VAL);
    EXPECT_DOUBLE_EQ(unsoftened_step(0.02, h, {}, grown, fast, 0.0), s * h / 2) << "previous zero force";
    const Vec4d turned{0, 4, 0, 0};
    EXPECT_DOUBLE_EQ(unsoftened_step(0.02, h, before, turned, fast, 0.5), s * 4 * h / std::sqrt(32))
        << "|a| is constant";
    EXPECT_DOUBLE_EQ(softened_step(0.02, 0.01, before), std::sqrt(2 * 0.02 * 0.01 / 4));
    EXPECT_DOUBLE_EQ(step_by_middle(0.3, 0.3, h, 0), 0.3);
    EXPECT_DOUBLE_EQ(step_by_middle(0.30, 0.28, h, 0), 0.28 / 1.1);
    EXPECT_DOUBLE_EQ(step_by_middle(0.30, 0.28, h, h / 2), (0.28 - 0.01) / 1.1);
    EXPECT_DOUBLE_EQ(step_by_middle(1, 0.05, h, h / 2), 0.025) << "at least half";
}

TEST(BlockLeapfrog, StepDependsOnThePreviousStep) {
    const StepRule rule{false, -1.5, 0.02, 0}, softened{false, -1.5, 0.02, 0.01};
    const Vec4d before{4, 0, 0, 0}, grown{9, 0, 0, 0}, lost{0, -HUGE_VAL, 0, 0};
    const double h = -0.1, found = std::sqrt(2 * 0.02) * 6 / 50;
    Vec4d velocity{100, 0, 0, 0};
    EXPECT_DOUBLE_EQ(next_leapfrog(rule, h, before, grown, velocity), found) << "the previous step is unknown";
    EXPECT_DOUBLE_EQ(velocity.w, found);
    velocity.w = 0.03;
    EXPECT_DOUBLE_EQ(next_leapfrog(rule, h, before, grown, velocity), step_by_middle(0.03, found, 0.1, 0.05));
    EXPECT_EQ(next_leapfrog(rule, h, before, before, velocity), step_by_middle(found, HUGE_VAL, 0.1, 0.05));
    EXPECT_EQ(velocity.w, 1.5) << "at most the interval";
    EXPECT_DOUBLE_EQ(next_leapfrog(softened, h, before, grown, velocity),
                     step_by_middle(softened_step(0.02, 0.01, before), softened_step(0.02, 0.01, grown), 0.1, 0));
    for (const StepRule& each : {rule, softened}) {
        velocity.w = 0.03;
        EXPECT_EQ(next_leapfrog(each, h, before, lost, velocity), 1.5) << "to the end of the interval";
    }
    EXPECT_EQ(first_leapfrog_level(softened, lost, velocity), 0);
    EXPECT_EQ(first_leapfrog_level(softened, before, velocity), level_of(softened_step(0.02, 0.01, before), 1.5));
    EXPECT_EQ(first_leapfrog_level(rule, before, {1, 0, 0, 0}), kLeapfrogStart);
    EXPECT_EQ(first_leapfrog_level(rule, before, {1, 0, 0, 0.1}), 4);
}

TEST(BlockLeapfrog, OscillatesThroughAPointOfZeroForce) {
    Scene scene;
    scene.bodies.add({1, 0, 0}, {}, 1), scene.bodies.add({-1, 0, 0}, {}, 1);
    scene.bodies.add({0, 0.5, 0}, {}, 1e-9);
    scene.gravity.constant = 1e-6;  // the two hardly move
    scene.dt = 1000;
    Simulation simulation{scene, kBlockDouble, kBlock};
    for (int i = 0; i < 2; ++i) EXPECT_NO_THROW(simulation.step());
    EXPECT_LT(simulation.forces().body_forces(), 3000u);
}

TEST(BlockLeapfrog, ContinuesBitwiseFromASnapshotWithoutSoftening) {
    for (const char* engine : {"direct", "tree", "fmm"}) {
        Scene scene = make_preset("plummer", {400, 3});
        scene.gravity.softening = 0;
        scene.dt = 1.0 / 16;
        EngineConfig config = kBlockDouble;
        config.engine = engine;
        Simulation simulation{scene, config, kBlock}, other{scene, config, kBlock};
        for (int i = 0; i < 2; ++i) simulation.step();
        const Snapshot snapshot = simulation.snapshot();
        for (int i = 0; i < 2; ++i) simulation.step();
        other.restore(snapshot);
        for (int i = 0; i < 2; ++i) other.step();
        EXPECT_EQ(other.snapshot().bodies.bytes, simulation.snapshot().bodies.bytes) << engine;
        EXPECT_GT(require_steps(simulation.system()).ladder().size(), 3u);
    }
}

TEST(BlockLeapfrog, RefusesStepsBelowTheFinestLevel) {
    Scene scene;
    scene.bodies.add({1, 0, 0}, {-1, 0, 0}, 1), scene.bodies.add({-1, 0, 0}, {1, 0, 0}, 1);
    scene.dt = 1;
    Simulation simulation{scene, kBlockDouble, kBlock};
    try {
        for (int i = 0; i < 5; ++i) simulation.step();
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string{error.what()}.find("shorter than dt/2^20"), std::string::npos) << error.what();
    }
    EXPECT_FALSE(simulation.within_step());
    simulation.set_gravity({.constant = 1, .softening = 0.1});
    EXPECT_NO_THROW(simulation.step());
}

TEST(BlockLeapfrog, IsRefusedForEnginesThatEvaluateOnlyAllBodies) {
    const Scene scene = make_preset("plummer", {100, 1});
    EngineConfig reference = kBlockDouble;
    reference.engine = "reference";
    try {
        Simulation refused{scene, reference, kBlock};
        FAIL();
    } catch (const Error& error) {
        for (const char* able : {"these do: direct on cpu", "half on cpu", "tree on cpu", "fmm on cpu"})
            EXPECT_NE(std::string{error.what()}.find(able), std::string::npos) << error.what();
    }
    Simulation simulation{scene, kBlockDouble, kBlock};
    simulation.step();
    EXPECT_THROW(simulation.set_engine(reference), Error);
    EXPECT_EQ(simulation.engine_config().engine, "direct");
}

TEST(BlockLeapfrog, ChangesWithinAStepRestartIt) {
    Simulation simulation{cluster(500), kBlockDouble, kBlock}, plain{cluster(500), kBlockDouble, kBlock};
    for (int i = 0; i < 20; ++i) simulation.advance(std::chrono::seconds{0});
    ASSERT_TRUE(simulation.within_step());
    simulation.set_gravity(simulation.scene().gravity);
    EXPECT_FALSE(simulation.within_step());
    simulation.step(), plain.step();
    EXPECT_EQ(simulation.snapshot().bodies.bytes, plain.snapshot().bodies.bytes);
}

TEST(BlockLeapfrog, SupportsCompensatedSums) {
    EngineConfig config = kBlockDouble;
    config.compensated = true;
    Simulation simulation{cluster(100), config, kBlock};
    EXPECT_NO_THROW(simulation.step());
    EXPECT_EQ(columns_of(simulation.snapshot().bodies), 5u);
}

}  // namespace
}  // namespace orrery::test
