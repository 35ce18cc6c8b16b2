// SPDX-License-Identifier: MIT
// Few bodies with known solutions, as a test of integrators and steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/analysis/diagnostics.hpp"
#include "core/presets/all.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {
namespace {

constexpr EngineConfig kDouble{.precision = Precision::kDouble, .threads = 1};

double energy(const Simulation& simulation) {
    return diagnose(simulation.system().bodies(), simulation.scene().gravity, kDouble).total();
}

/// The largest distance of a body from its initial position after `time`.
double miss(const Scene& scene, double time) {
    Simulation simulation{scene, kDouble};
    while (simulation.now().time < time - 1e-13) {
        simulation.set_dt(std::min(scene.dt, time - simulation.now().time));
        simulation.step();
    }
    double most = 0;
    const Bodies after = simulation.system().bodies();
    for (std::size_t i = 0; i < after.size(); ++i)
        most = std::max(most, length(xyz(after.position_mass[i]) - xyz(scene.bodies.position_mass[i])));
    return most;
}

TEST(PeriodicOrbits, CloseAfterTheirPeriod) {
    for (const PeriodicOrbit& orbit : kPeriodicOrbits)
        EXPECT_LT(miss(periodic_scene(orbit), orbit.period), 5e-6) << orbit.period;
    EXPECT_LT(miss(make_preset("orbit-lagrange", {}), 2 * std::numbers::pi / std::numbers::sqrt3), 1e-9);
}

TEST(PeriodicOrbits, AreNotClosedEarlier) {
    for (const PeriodicOrbit& orbit : kPeriodicOrbits)
        EXPECT_GT(miss(periodic_scene(orbit), 0.5 * orbit.period), 0.05) << orbit.period;
}

TEST(FigureEight, ClosesAfterAHundredPeriods) {
    constexpr double kPeriod = 6.325913982926212;
    Scene scene = make_preset("figure-eight", {});
    scene.dt = kPeriod / 500;
    Simulation simulation{scene, kDouble, "yoshida6"};
    for (int i = 0; i < 50'000; ++i) simulation.step();
    const Bodies after = simulation.system().bodies();
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LT(length(xyz(after.position_mass[i]) - xyz(scene.bodies.position_mass[i])), 1e-6);
}

TEST(SolarSystem, ConservesEnergyWithYoshida6) {
    Scene scene = make_preset("solar-system", {});
    scene.dt = 0.5 / scene.days_per_time;
    Simulation simulation{scene, kDouble, "yoshida6"};
    const double before = energy(simulation);
    double worst = 0;
    for (int i = 0; i < 7305; ++i) {  // ten years
        simulation.step();
        if (i % 50 == 0) worst = std::max(worst, std::abs(energy(simulation) / before - 1));
    }
    EXPECT_LT(worst, 1e-11);
}

TEST(Pythagorean, LightestEscapesAndTheOthersFormABinary) {
    Simulation simulation{make_preset("pythagorean", {}), kDouble};
    const double before = energy(simulation);
    double late = std::numeric_limits<double>::infinity();  // the last time at which the three are together
    while (simulation.now().time < 75) {
        simulation.step();
        const Bodies b = simulation.system().bodies();
        if (length(xyz(b.position_mass[0])) < 5) late = simulation.now().time;
    }
    EXPECT_NEAR(energy(simulation) / before, 1, 1e-7);
    EXPECT_NEAR(late, 60, 3);
    const Bodies b = simulation.system().bodies();
    const Vec3d out = xyz(b.position_mass[0]);
    EXPECT_GT(dot(out, b.velocity[0]), 0);
    // The lightest body is unbound from the other two, which are bound to each other.
    const double speed2 = dot(b.velocity[0] - (1.0 / 9) * (4.0 * b.velocity[1] + 5.0 * b.velocity[2]),
                              b.velocity[0] - (1.0 / 9) * (4.0 * b.velocity[1] + 5.0 * b.velocity[2]));
    const Vec3d others = (1.0 / 9) * (4.0 * xyz(b.position_mass[1]) + 5.0 * xyz(b.position_mass[2]));
    EXPECT_GT(speed2 / 2, 12 / length(out - others));
    const Vec3d r = xyz(b.position_mass[1]) - xyz(b.position_mass[2]), v = b.velocity[1] - b.velocity[2];
    EXPECT_LT(dot(v, v) / 2, 9 / length(r));
}

TEST(Scattering, DependsOnSeedAndBinaryIsCircular) {
    const Bodies one = make_preset("scattering", {3, 1}).bodies, other = make_preset("scattering", {3, 2}).bodies;
    EXPECT_NE(one.position_mass, other.position_mass);
    const Vec3d r = xyz(one.position_mass[0]) - xyz(one.position_mass[1]), v = one.velocity[0] - one.velocity[1];
    EXPECT_NEAR(length(r), 1, 1e-12);
    EXPECT_NEAR(dot(v, v), 1, 1e-12);
    EXPECT_NEAR(dot(r, v), 0, 1e-12);
}

}  // namespace
}  // namespace orrery::test
