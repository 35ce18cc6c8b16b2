// SPDX-License-Identifier: MIT
// Hermite's scheme and block steps: accuracy, savings and refusals. Jerks: engines/jerks_test.cpp.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {
namespace {

constexpr EngineConfig kHermiteDouble{.precision = Precision::kDouble, .threads = 1};

/// A cluster with a tight binary, which needs steps hundreds of times shorter than the rest.
Scene cluster_with_binary() {
    Scene scene = make_preset("plummer", {64, 9});
    scene.gravity.softening = 0.01;
    const double mass = scene.bodies.position_mass[0].w, apart = 0.02;
    const Vec3d place{3, 0, 0},
        turn{0, std::sqrt(mass / std::pow(apart * apart + 1e-4, 1.5)) * apart / std::sqrt(2.0), 0};
    for (const int sign : {1, -1})
        scene.bodies.add(place + Vec3d{sign * apart / 2, 0, 0}, static_cast<double>(sign) * turn, mass);
    scene.dt = 1.0 / 16;
    return scene;
}

Bodies after_one(Simulation& simulation) {
    while (simulation.now().time < 1 - 1e-9) simulation.step();
    return simulation.system().bodies();
}

double largest_difference(const Bodies& a, const Bodies& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, length(xyz(a.position_mass[i]) - xyz(b.position_mass[i])));
    return most;
}

TEST(BlockSteps, MatchSmallSharedStepsWithFewerForces) {
    Scene scene = cluster_with_binary();
    scene.adaptive = 1e-3;
    Simulation block{scene, kHermiteDouble, "hermite4-block"};
    scene.adaptive = 0;
    scene.dt = 1.0 / 2048;
    Simulation shared{scene, kHermiteDouble, "hermite4"};
    scene.dt = 1.0 / 4096;
    Simulation finer{scene, kHermiteDouble, "hermite4"};
    const Bodies end = after_one(finer);
    EXPECT_LT(largest_difference(after_one(shared), end), 1e-5);
    EXPECT_LT(largest_difference(after_one(block), end), 1e-5);
    EXPECT_LT(4 * block.forces().body_forces(), shared.forces().body_forces());
    EXPECT_EQ(shared.forces().body_forces(), 66 * (2 * 2048 + 1));
}

TEST(BlockSteps, AreSlicedWithinAStep) {
    Scene scene = cluster_with_binary();
    scene.dt = 1;
    Simulation whole{scene, kHermiteDouble, "hermite4-block"}, cut{scene, kHermiteDouble, "hermite4-block"};
    whole.step();
    int slices = 1;
    while (!cut.advance(std::chrono::seconds{0})) ++slices;
    EXPECT_GT(slices, 1000) << "otherwise requests would wait too long";
    EXPECT_EQ(cut.snapshot().bodies.bytes, whole.snapshot().bodies.bytes);
    EXPECT_EQ(cut.forces().body_forces(), whole.forces().body_forces());
}

TEST(BlockSteps, SmallerEtaImprovesEnergyConservation) {
    const auto drift = [](double eta) {
        Scene scene = cluster_with_binary();
        scene.adaptive = eta;
        Simulation simulation{scene, kHermiteDouble, "hermite4-block"};
        const double before = diagnose(scene.bodies, scene.gravity, kHermiteDouble).total();
        const Bodies after = after_one(simulation);
        return std::abs(diagnose(after, scene.gravity, kHermiteDouble).total() / before - 1);
    };
    const double coarse = drift(0.02), fine = drift(0.02 / 16);
    EXPECT_LT(coarse, 1e-4);
    EXPECT_LT(fine, coarse / 30) << "a quarter of the step, at fourth order";
}

TEST(BlockSteps, AllowMoreBodiesThanPairwiseStepLimits) {
    Scene scene = make_preset("plummer", {2500, 1});
    scene.adaptive = 0.02;
    EXPECT_NO_THROW((Simulation{scene, kHermiteDouble, "hermite4-block"}));
    EXPECT_THROW((Simulation{scene, kHermiteDouble, "hermite4"}), Error);
}

TEST(Hermite, IsRefusedForEnginesWithoutJerks) {
    const Scene scene = make_preset("plummer", {100, 1});
    for (const IntegratorEntry& entry : integrators()) {
        if (!entry.jerk) continue;
        EngineConfig tree = kHermiteDouble;
        tree.engine = "tree";
        try {
            Simulation refused{scene, tree, entry.id};
            FAIL() << entry.id;
        } catch (const Error& error) {
            EXPECT_NE(std::string{error.what()}.find("these do: direct on cpu"), std::string::npos) << error.what();
            EXPECT_NE(std::string{error.what()}.find("half on cpu"), std::string::npos) << error.what();
        }
        Simulation simulation{scene, kHermiteDouble, entry.id};
        simulation.step();
        EXPECT_THROW(simulation.set_engine(tree), Error);
        EXPECT_EQ(simulation.engine_config().engine, "direct");
        simulation.set_integrator("leapfrog");
        simulation.set_engine(tree);
        EXPECT_THROW(simulation.set_integrator(entry.id), Error);
        EXPECT_EQ(simulation.scene().integrator, "leapfrog");
        simulation.step();
    }
}

TEST(Hermite, ContinuesBitwiseFromASnapshot) {
    Scene scene = cluster_with_binary();
    for (const std::string_view id : {"hermite4", "hermite4-block"}) {
        Simulation simulation{scene, kHermiteDouble, id};
        simulation.step();
        const Snapshot snapshot = simulation.snapshot();
        simulation.step(), simulation.step();
        const Bodies there = simulation.system().bodies();
        simulation.restore(snapshot);
        simulation.step(), simulation.step();
        EXPECT_EQ(simulation.system().bodies().position_mass, there.position_mass);
        EXPECT_EQ(simulation.system().bodies().velocity, there.velocity);
    }
}

TEST(Hermite, CanBeSwitchedToAndFromAnotherIntegrator) {
    Scene scene = make_preset("plummer", {50, 1});
    Simulation simulation{scene, kHermiteDouble, "leapfrog"};
    simulation.step();
    simulation.set_integrator("hermite4");
    simulation.step();
    simulation.set_integrator("leapfrog");
    simulation.step();
    EXPECT_EQ(simulation.now().steps, 3);
    Simulation plain{scene, kHermiteDouble, "leapfrog"};
    for (int i = 0; i < 3; ++i) plain.step();
    EXPECT_LT(largest_difference(simulation.system().bodies(), plain.system().bodies()), 1e-3);
}

}  // namespace
}  // namespace orrery::test
