// SPDX-License-Identifier: MIT
// Every integrator of the menu: its order, its reversibility, and what it conserves.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/base/error.hpp"
#include "core/simulation.hpp"

namespace orrery {
namespace {

constexpr EngineConfig kDouble{.precision = Precision::kDouble};

/// Two bodies of mass ½ on a circle of separation 1 round each other: G M = 1, so the period is 2π.
Scene circle() {
    Scene scene;
    scene.bodies.add({0.5, 0, 0}, {0, 0.5, 0}, 0.5);
    scene.bodies.add({-0.5, 0, 0}, {0, -0.5, 0}, 0.5);
    return scene;
}

/// Distance of the first body, after one period in `steps` steps, from where it began.
double miss(std::string_view integrator_id, int steps) {
    Scene scene = circle();
    scene.dt = 2 * std::numbers::pi / steps;
    Simulation simulation{scene, kDouble, integrator_id};
    for (int i = 0; i < steps; ++i) simulation.step();
    const Vec3d d = xyz(simulation.system().bodies().position_mass[0]) - Vec3d{0.5, 0, 0};
    return std::sqrt(dot(d, d));
}

class EveryIntegrator : public testing::TestWithParam<IntegratorEntry> {};

TEST_P(EveryIntegrator, HasItsOrder) {
    const double coarse = miss(GetParam().id, 200), fine = miss(GetParam().id, 400);
    EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.1);
}

TEST_P(EveryIntegrator, RunsBackwards) {
    Scene scene = circle();
    scene.dt = 0.01;
    Simulation there{scene, kDouble, GetParam().id};
    for (int i = 0; i < 100; ++i) there.step();
    Scene turned = scene;
    turned.bodies = there.system().bodies();
    for (Vec3d& v : turned.bodies.velocity) v = -1.0 * v;
    Simulation back{turned, kDouble, GetParam().id};
    for (int i = 0; i < 100; ++i) back.step();
    const Vec3d d = xyz(back.system().bodies().position_mass[0]) - xyz(scene.bodies.position_mass[0]);
    EXPECT_LE(std::sqrt(dot(d, d)), 1e-13);
}

TEST_P(EveryIntegrator, StagesAddUpToOneStep) {
    double drift = 0, kick = 0;
    for (const Stage& stage : GetParam().stages) {
        if (stage.op == Stage::Op::kDrift) drift += stage.fraction;
        if (stage.op == Stage::Op::kKick) kick += stage.fraction;
    }
    EXPECT_DOUBLE_EQ(drift, 1);
    EXPECT_DOUBLE_EQ(kick, 1);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryIntegrator, testing::ValuesIn(integrators().begin(), integrators().end()),
                         [](const auto& line) { return std::string{line.param.id}; });

TEST(IntegratorMenu, RefusesAnUnknownId) { EXPECT_THROW(integrator("euler-of-doom"), Error); }

}  // namespace
}  // namespace orrery
