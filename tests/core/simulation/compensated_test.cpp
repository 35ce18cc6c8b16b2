// SPDX-License-Identifier: MIT
// Compensated sums keep the rounding errors of positions and velocities.
#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {
namespace {

constexpr EngineConfig kCompensated{.precision = Precision::kSingle, .threads = 1, .compensated = true};

/// An unaccelerated body whose steps are below half a unit in the last place of its position in float.
Scene slow_body() {
    Scene scene;
    scene.bodies.add({1, -2, 0.5}, {1e-8, 2e-8, 0.5e-8}, 1);
    scene.dt = 1;
    return scene;
}

TEST(CompensatedSums, KeepStepsBelowTheLastDigit) {
    Simulation plain{slow_body(), {.precision = Precision::kSingle, .threads = 1}}, kept{slow_body(), kCompensated};
    for (int i = 0; i < 100'000; ++i) plain.step(), kept.step();
    EXPECT_EQ(plain.system().bodies().position_mass[0].x, 1) << "each step is lost";
    const Vec4d there = kept.system().bodies().position_mass[0];
    EXPECT_NEAR(there.x, 1.001, 1e-7);
    EXPECT_NEAR(there.y, -1.998, 2e-7);
    EXPECT_NEAR(there.z, 0.5005, 1e-7);
}

TEST(CompensatedSums, ContinueBitwiseFromASnapshot) {
    Scene scene = make_preset("plummer", {200, 1});
    Simulation simulation{scene, kCompensated};
    for (int i = 0; i < 5; ++i) simulation.step();
    const Snapshot snapshot = simulation.snapshot();
    EXPECT_EQ(columns_of(snapshot.bodies), 5);
    for (int i = 0; i < 20; ++i) simulation.step();
    const Bodies there = simulation.system().bodies();
    simulation.restore(snapshot);
    for (int i = 0; i < 20; ++i) simulation.step();
    EXPECT_EQ(simulation.system().bodies().position_mass, there.position_mass);
    EXPECT_EQ(simulation.system().bodies().velocity, there.velocity);
}

TEST(CompensatedSums, AcceptASnapshotWithoutCompensation) {
    Scene scene = make_preset("plummer", {50, 1});
    Simulation plain{scene, {.precision = Precision::kSingle, .threads = 1}}, kept{scene, kCompensated};
    plain.step();
    kept.step();
    kept.restore(plain.snapshot());
    EXPECT_EQ(kept.system().bodies().position_mass, plain.system().bodies().position_mass);
    kept.step();
    EXPECT_EQ(columns_of(kept.snapshot().bodies), 5);
}

TEST(CompensatedSums, AreRefusedForSchemesWithoutKicks) {
    const Scene scene = make_preset("plummer", {50, 1});
    EXPECT_THROW((Simulation{scene, kCompensated, "hermite4"}), Error);
    Simulation simulation{scene, kCompensated, "yoshida6"};
    EXPECT_THROW(simulation.set_integrator("hermite4-block"), Error);
    simulation.step();
}

}  // namespace
}  // namespace orrery::test
