// SPDX-License-Identifier: MIT
// A snapshot holds all that the steps to come depend on: the same ones follow, to the bit, in the simulation that it
// was taken of and in a new one; of every engine that repeats itself, by every integrator.
#include "core/integrators/integrators.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery {
namespace {

using testing::EngineCase;

std::vector<EngineCase> those_that_repeat() {
    std::vector<EngineCase> cases;
    for (const Law law : {Law::kGravity, Law::kAxilrodTeller})
        for (const EngineCase& c : testing::every_engine(law))
            if (c.entry->repeats(c.config())) cases.push_back(c);
    return cases;
}

class EveryEngineResumes : public testing::NeedsEngine {
protected:
    Scene scene() const {
        const std::size_t enough = GetParam().entry->id == "reference" ? 200 : 1500;  // that one is slow on purpose
        return GetParam().entry->law == Law::kGravity ? make_preset("plummer", {.bodies = enough})
                                                      : make_preset("argon-cluster", {.bodies = 60});
    }
};

BodyState steps_later(Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i) simulation.step();
    return simulation.snapshot().bodies;
}

TEST_P(EveryEngineResumes, TheSameStepsFollow) {
    for (const IntegratorEntry& integrator : integrators()) {
        if (integrator.jerk && (!GetParam().entry->jerk || GetParam().precision == Precision::kMixed)) continue;
        Simulation simulation{scene(), GetParam().config(), integrator.id};
        steps_later(simulation, 5);
        const Snapshot snapshot = simulation.snapshot();
        const BodyState after = steps_later(simulation, 6);
        ASSERT_NE(after.bytes, snapshot.bodies.bytes);
        steps_later(simulation, 10);  // far enough for other accelerations
        simulation.restore(snapshot);
        EXPECT_EQ(simulation.snapshot().bodies.bytes, snapshot.bodies.bytes) << integrator.id;
        EXPECT_EQ(steps_later(simulation, 6).bytes, after.bytes) << integrator.id;
        EXPECT_EQ(simulation.steps(), 11);

        Simulation other{scene(), GetParam().config(), integrator.id};
        other.restore(snapshot);
        EXPECT_EQ(steps_later(other, 6).bytes, after.bytes) << integrator.id << ", in a new simulation";
        EXPECT_EQ(other.time(), simulation.time());
    }
}

// As a window rewinds while the next forces are under way.
TEST_P(EveryEngineResumes, AnEvaluationUnderWayChangesNothing) {
    Simulation simulation{scene(), GetParam().config()};
    steps_later(simulation, 3);
    const Snapshot snapshot = simulation.snapshot();
    const BodyState after = steps_later(simulation, 3);
    simulation.set_gravity(simulation.gravity());  // as if the softening had been changed: forces are due
    simulation.advance(std::chrono::microseconds{1});
    simulation.restore(snapshot);
    EXPECT_EQ(steps_later(simulation, 3).bytes, after.bytes);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineResumes, ::testing::ValuesIn(those_that_repeat()), testing::case_name);

}  // namespace
}  // namespace orrery
