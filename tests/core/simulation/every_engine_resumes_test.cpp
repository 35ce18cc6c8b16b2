// SPDX-License-Identifier: MIT
// A snapshot contains all that later steps depend on: in the original simulation and in a new one the same steps
// follow, bit by bit, for every reproducible engine with every integrator.
#include <random>

#include "core/integrators/integrators.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

std::vector<EngineCase> reproducible_engines() {
    std::vector<EngineCase> cases;
    for (const Law law : {Law::kPairs, Law::kAxilrodTeller})
        for (const EngineCase& c : every_engine(law))
            if (c.entry->repeats(c.config())) cases.push_back(c);
    return cases;
}

class EveryEngineResumes : public NeedsEngine {
protected:
    Scene scene() const {
        if (GetParam().entry->law != Law::kPairs) return make_preset("argon-cluster", {.bodies = 60});
        return make_preset("plummer", {.bodies = enough()});
    }

private:
    /// Enough for many blocks and tiles of a device, and for several levels of a tree.
    static std::size_t enough() {
        if (GetParam().slow_on_purpose()) return everyday(100, 200);
        if (GetParam().entry->backend == Backend::kCuda) return 1500;
        if (GetParam().on_software_gl()) return 250;
        return GetParam().entry->has_tree() ? everyday(700, 1500) : everyday(250, 500);
    }
};

BodyState steps_later(Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i) simulation.step();
    return simulation.snapshot().bodies;
}

TEST_P(EveryEngineResumes, WithTheSameSteps) {
    std::size_t line = 0;
    for (const IntegratorEntry& integrator : integrators()) {
        if (!why_incompatible(integrator, GetParam().config()).empty() || !has_turn(GetParam(), line++, 5)) continue;
        Simulation simulation{scene(), GetParam().config(), integrator.id};
        steps_later(simulation, 5);
        const Snapshot snapshot = simulation.snapshot();
        const BodyState after = steps_later(simulation, 6);
        ASSERT_NE(after.bytes, snapshot.bodies.bytes);
        steps_later(simulation, 10);  // far enough for other accelerations
        simulation.restore(snapshot);
        EXPECT_EQ(simulation.snapshot().bodies.bytes, snapshot.bodies.bytes) << integrator.id;
        EXPECT_EQ(steps_later(simulation, 6).bytes, after.bytes) << integrator.id;
        EXPECT_EQ(simulation.now().steps, 11);

        Simulation other{scene(), GetParam().config(), integrator.id};
        other.restore(snapshot);
        EXPECT_EQ(steps_later(other, 6).bytes, after.bytes) << integrator.id << ", in a new simulation";
        EXPECT_EQ(other.now().time, simulation.now().time);
    }
}

/// Restoring it clears the engine's history.
TEST_P(EveryEngineResumes, FromAStateWithoutEvaluation) {
    Simulation simulation{scene(), GetParam().config()};
    const Snapshot first = simulation.snapshot();
    const BodyState after = steps_later(simulation, 3);
    simulation.restore(first);
    EXPECT_EQ(steps_later(simulation, 3).bytes, after.bytes);
}

// As when a window rewinds during an evaluation.
TEST_P(EveryEngineResumes, IndependentlyOfAPartialEvaluation) {
    Simulation simulation{scene(), GetParam().config()};
    steps_later(simulation, 3);
    const Snapshot snapshot = simulation.snapshot();
    const BodyState after = steps_later(simulation, 3);
    simulation.set_gravity(simulation.scene().gravity);  // as after a change of the softening: forces are due
    simulation.advance(std::chrono::microseconds{1});
    simulation.restore(snapshot);
    EXPECT_EQ(steps_later(simulation, 3).bytes, after.bytes);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineResumes, ::testing::ValuesIn(reproducible_engines()), case_name);

class EveryTreeResumes : public EveryEngineResumes {};

/// A ball; close pairs that remain close; and a clump that is initially so small that the tree needs far more levels
/// than later.
Scene with_a_bursting_clump() {
    Scene scene = make_preset("plummer", {.bodies = 1500});
    const double mass = scene.bodies.position_mass[0].w;
    std::mt19937_64 random{3};
    std::normal_distribution<double> normal;
    const auto any = [&] { return Vec3d{normal(random), normal(random), normal(random)}; };
    for (int i = 0; i < 150; ++i) {
        const Vec3d at = any();
        for (int k = 0; k < 3; ++k) scene.bodies.add(at + 1e-3 * any(), {}, mass);
    }
    for (int i = 0; i < 200; ++i) {
        const Vec3d way = any();
        scene.bodies.add(Vec3d{0.3, 0.2, 0.1} + 1e-6 * way, 10.0 * way, 1e-9 * mass);
    }
    scene.gravity.softening = 0.01;
    scene.dt = 0.01;
    return scene;
}

TEST_P(EveryTreeResumes, AfterBodiesWereMuchCloser) {
    Simulation simulation{with_a_bursting_clump(), GetParam().config()};
    steps_later(simulation, 4);
    const Snapshot snapshot = simulation.snapshot();
    const BodyState after = steps_later(simulation, 4);
    Simulation other{with_a_bursting_clump(), GetParam().config()};
    other.restore(snapshot);
    EXPECT_EQ(steps_later(other, 4).bytes, after.bytes) << "in a new simulation";
    simulation.restore(snapshot);
    EXPECT_EQ(steps_later(simulation, 4).bytes, after.bytes);
}

std::vector<EngineCase> reproducible_trees() {
    std::vector<EngineCase> cases = reproducible_engines();
    std::erase_if(cases, [](const EngineCase& c) { return !c.entry->has_tree(); });
    return cases;
}
INSTANTIATE_TEST_SUITE_P(Menu, EveryTreeResumes, ::testing::ValuesIn(reproducible_trees()), case_name);

}  // namespace
}  // namespace orrery::test
