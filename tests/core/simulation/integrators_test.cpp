// SPDX-License-Identifier: MIT
// Every integrator of the menu: its order, its reversibility, and its conservation of energy.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "core/base/error.hpp"
#include "core/integrators/integrators.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {
namespace {

constexpr EngineConfig kIntegratorsDouble{.precision = Precision::kDouble};

/// Two bodies of mass ½ on a circular orbit of separation 1: G M = 1, so the period is 2π.
Scene circle() {
    Scene scene;
    scene.bodies.add({0.5, 0, 0}, {0, 0.5, 0}, 0.5);
    scene.bodies.add({-0.5, 0, 0}, {0, -0.5, 0}, 0.5);
    return scene;
}

/// Distance of the first body, after one period in `steps` steps, from its initial position. Individual steps are set
/// by η: √η/ω on a circle.
double miss(std::string_view integrator_id, int steps) {
    Scene scene = circle();
    const double step = 2 * std::numbers::pi / steps;
    const bool individual = integrator(integrator_id).individual;
    const int intervals = individual ? 8 : steps;
    if (individual) scene.adaptive = step * step;
    scene.dt = 2 * std::numbers::pi / intervals;
    Simulation simulation{scene, kIntegratorsDouble, integrator_id};
    for (int i = 0; i < intervals; ++i) simulation.step();
    const Vec3d d = xyz(simulation.system().bodies().position_mass[0]) - Vec3d{0.5, 0, 0};
    return std::sqrt(dot(d, d));
}

double total_energy(const Bodies& two) {
    const Vec3d d = xyz(two.position_mass[0]) - xyz(two.position_mass[1]);
    double kinetic = 0;
    for (const Vec3d& v : two.velocity) kinetic += 0.25 * dot(v, v);
    return kinetic - 0.25 / std::sqrt(dot(d, d));
}

class EveryIntegrator : public testing::TestWithParam<IntegratorEntry> {};

TEST_P(EveryIntegrator, HasItsOrder) {
    const int steps = GetParam().order == 1  ? 8000
                      : GetParam().order > 4 ? 100
                                             : 200;  // small errors, but not rounding
    const double coarse = miss(GetParam().id, steps), fine = miss(GetParam().id, 2 * steps);
    EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.1);
}

TEST_P(EveryIntegrator, RetracesItsPathIfReversible) {
    Scene scene = circle();
    scene.dt = GetParam().jerk ? 0.05 : 0.01;  // Hermite's scheme is nearly reversible on a circle
    Simulation there{scene, kIntegratorsDouble, GetParam().id};
    for (int i = 0; i < 100; ++i) there.step();
    Scene turned = scene;
    turned.bodies = there.system().bodies();
    for (Vec3d& v : turned.bodies.velocity) v = -1.0 * v;
    Simulation back{turned, kIntegratorsDouble, GetParam().id};
    for (int i = 0; i < 100; ++i) back.step();
    const Vec3d d = xyz(back.system().bodies().position_mass[0]) - xyz(scene.bodies.position_mass[0]);
    if (GetParam().reversible)
        EXPECT_LE(std::sqrt(dot(d, d)), 2e-13);
    else
        EXPECT_GE(std::sqrt(dot(d, d)), GetParam().order == 1 ? 1e-4 : 1e-11);
}

TEST_P(EveryIntegrator, ConservesEnergyIfReversible) {
    Scene scene = circle();
    scene.dt = 2 * std::numbers::pi / 100;
    const double before = total_energy(scene.bodies);
    Simulation simulation{scene, kIntegratorsDouble, GetParam().id};
    for (int i = 0; i < 5000; ++i) simulation.step();
    const double drift = std::abs(total_energy(simulation.system().bodies()) / before - 1);
    if (GetParam().reversible)
        EXPECT_LE(drift, 1e-6);
    else
        EXPECT_GE(drift, GetParam().order == 1 ? 0.1 : 1e-8);
}

TEST_P(EveryIntegrator, StagesSumToOneStep) {
    if (!GetParam().splits()) GTEST_SKIP() << "is not a splitting method";
    double drift = 0, kick = 0;
    for (const Stage& stage : GetParam().stages) {
        if (stage.op == Stage::Op::kDrift) drift += stage.fraction;
        if (stage.op == Stage::Op::kKick) kick += stage.fraction;
    }
    EXPECT_NEAR(drift, 1, 1e-15);
    EXPECT_NEAR(kick, 1, 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryIntegrator, testing::ValuesIn(integrators().begin(), integrators().end()),
                         [](const auto& line) {
                             std::string name{line.param.id};
                             std::erase(name, '-');
                             return name;
                         });

/// v += a dt, x += v dt + a dt²/2, computed independently.
TEST(TaylorStep, MatchesTheFormulaOfTheThesis) {
    Scene scene = circle();
    scene.dt = 0.1;
    Simulation simulation{scene, kIntegratorsDouble, "taylor"};
    simulation.step();
    const Bodies after = simulation.system().bodies();
    // The acceleration of the first body is (-0.5, 0, 0).
    EXPECT_NEAR(after.position_mass[0].x, 0.5 - 0.5 * 0.01 / 2, 1e-16);
    EXPECT_NEAR(after.position_mass[0].y, 0.05, 1e-16);
    EXPECT_NEAR(after.velocity[0].x, -0.05, 1e-16);
    EXPECT_NEAR(after.velocity[0].y, 0.5, 1e-16);
}

TEST(Integrators, CanBeSwitchedBetweenSteps) {
    Scene scene = circle();
    scene.dt = 0.1;
    Simulation live{scene, kIntegratorsDouble, "leapfrog"}, other{scene, kIntegratorsDouble, "yoshida6"};
    EXPECT_THROW(live.set_integrator("euler-of-doom"), Error);
    live.set_integrator("yoshida6");
    EXPECT_EQ(live.scene().integrator, "yoshida6");
    live.step(), other.step();
    EXPECT_EQ(live.system().bodies().position_mass, other.system().bodies().position_mass);
}

TEST(Integrators, DefaultToTheIntegratorOfTheScene) {
    Scene scene = circle();
    scene.integrator = "forest-ruth";
    EXPECT_EQ((Simulation{scene, kIntegratorsDouble}.scene().integrator), "forest-ruth");
    EXPECT_EQ((Simulation{scene, kIntegratorsDouble, "taylor"}.scene().integrator), "taylor");
}

TEST(AdaptiveSteps, AreAFractionOfThePeriodOfTheClosestPair) {
    Scene scene = circle();
    scene.dt = 1;
    scene.adaptive = 0.01;
    Simulation simulation{scene, kIntegratorsDouble};
    simulation.step();
    // r = v = G M = 1: both frequencies are 1.
    EXPECT_NEAR(simulation.now().dt, 0.01 / std::numbers::sqrt2, 1e-15);
    simulation.set_reversed(true);
    simulation.step();
    EXPECT_NEAR(simulation.now().dt, -0.01 / std::numbers::sqrt2, 1e-6);
    simulation.set_reversed(false);
    simulation.set_dt(1e-3);
    simulation.step();
    EXPECT_EQ(simulation.now().dt, 1e-3) << "dt is the upper limit";
    EXPECT_THROW(simulation.set_integrator("leapfrog", -1), Error);
    EXPECT_THROW(simulation.set_integrator("leapfrog", std::nan("")), Error);
    simulation.set_integrator("leapfrog", 0);
    simulation.set_dt(0.5);
    simulation.step();
    EXPECT_EQ(simulation.now().dt, 0.5);
}

TEST(AdaptiveSteps, AreRefusedForTooManyBodies) {
    Scene scene;
    for (int i = 0; i < 2049; ++i) scene.bodies.add({double(i), 0, 0}, {}, 1);
    scene.adaptive = 0.01;
    EXPECT_THROW((Simulation{scene, kIntegratorsDouble}), Error);
}

TEST(AdaptiveSteps, MatchTheFormulaForTheFastestPair) {
    Bodies bodies;
    bodies.add({0, 0, 0}, {0, 0, 0}, 1);
    bodies.add({0, 3, 0}, {0, 0, 0}, 3);
    bodies.add({1000, 0, 0}, {0, 0, 0}, 2);
    // η/√((G(m₁ + m₂)/r + v²)/r²), where softening makes r = 5
    EXPECT_DOUBLE_EQ(step_limit(bodies, {2, 4}, 0.02), 0.02 / std::sqrt(2.0 * 4 / 5 / 25));
    bodies.velocity[0] = {0, 2, 0}, bodies.velocity[1] = {0, -1, 0};
    EXPECT_DOUBLE_EQ(step_limit(bodies, {2, 4}, 0.02), 0.02 / std::sqrt((2.0 * 4 / 5 + 9) / 25));
    EXPECT_DOUBLE_EQ(step_limit(bodies, {2, 0}, 0.02), 0.02 / std::sqrt((2.0 * 4 / 3 + 9) / 9));
    bodies.add({0, 3, 0}, {0, -1, 0}, 3);
    EXPECT_DOUBLE_EQ(step_limit(bodies, {2, 0}, 0.02), 0.02 / std::sqrt((2.0 * 4 / 3 + 9) / 9))
        << "coincident bodies are ignored";
}

TEST(AdaptiveSteps, AcceptEtaFromZeroToOne) {
    const IntegratorEntry &shared = integrator("leapfrog"), &individual = integrator("hermite4-block");
    for (const double eta : {0.0, 0.5, 1.0}) EXPECT_NO_THROW(require_adaptive(eta, kMostAdaptive, shared)) << eta;
    for (const double eta : {-1e-300, std::nextafter(1.0, 2.0), std::nan("")})
        EXPECT_THROW(require_adaptive(eta, 2, shared), Error) << eta;
    EXPECT_THROW(require_adaptive(1e-300, kMostAdaptive + 1, shared), Error);
    EXPECT_NO_THROW(require_adaptive(0, kMostAdaptive + 1, shared));
    EXPECT_NO_THROW(require_adaptive(0.5, kMostAdaptive + 1, individual));
}

TEST(IntegratorMenu, RefusesAnUnknownId) { EXPECT_THROW(integrator("euler-of-doom"), Error); }

}  // namespace
}  // namespace orrery::test
