// SPDX-License-Identifier: MIT
#include "core/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "tests/support/every_engine.hpp"

namespace orrery::test {
namespace {

Scene ball_scene(std::size_t count) {
    return {.id = "ball", .label = "Ball", .bodies = ball(count), .gravity = {.softening = 0.05}, .dt = 0.01};
}

TEST(Simulation, TakesTheSameStepsInSlices) {
    Simulation whole{ball_scene(5000), {}}, sliced{ball_scene(5000), {}};
    int slices = 0;
    for (int i = 0; i < 3; ++i) {
        whole.step();
        while (!sliced.advance(std::chrono::microseconds{200})) ++slices;
    }
    EXPECT_GT(slices, 3) << "the budget was never exhausted";
    EXPECT_EQ(whole.now().steps, 3u);
    EXPECT_DOUBLE_EQ(sliced.now().time, 0.03);
    EXPECT_EQ(whole.system().bodies().position_mass, sliced.system().bodies().position_mass);
    EXPECT_EQ(whole.system().bodies().velocity, sliced.system().bodies().velocity);
}

TEST(Simulation, IsBitwiseEqualOnAnyNumberOfThreads) {
    Simulation one{ball_scene(3000), {.threads = 1}}, many{ball_scene(3000), {.threads = 3}};
    for (int i = 0; i < 3; ++i) one.step(), many.step();
    EXPECT_EQ(one.system().bodies().position_mass, many.system().bodies().position_mass);
}

TEST(Simulation, SwitchesEngineWithinAStep) {
    Simulation simulation{ball_scene(5000), {}};
    simulation.step();
    while (simulation.forces().progress() == 0) simulation.advance(std::chrono::microseconds{1});
    EXPECT_TRUE(simulation.within_step());
    const Bodies before = simulation.system().bodies();
    simulation.set_engine({.precision = Precision::kDouble});
    EXPECT_EQ(simulation.system().bodies().position_mass, before.position_mass) << "a switch keeps the bodies";
    EXPECT_EQ(simulation.forces().progress(), 0) << "the evaluation restarts";
    while (!simulation.advance(std::chrono::seconds{1})) {
    }
    EXPECT_EQ(simulation.now().steps, 2u);

    Simulation steady{ball_scene(5000), {}};
    steady.step(), steady.step();
    const Bodies a = simulation.system().bodies(), b = steady.system().bodies();
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a.position_mass[i].x, b.position_mass[i].x, 1e-5);
}

TEST(Simulation, KeepsItsEngineWhenASwitchIsRefused) {
    Simulation simulation{ball_scene(100), {}};
    EXPECT_THROW(simulation.set_engine({.engine = "none"}), Error);
    EXPECT_EQ(simulation.engine_config().engine, "direct");
    simulation.step();
    EXPECT_EQ(simulation.now().steps, 1u);
}

TEST(Simulation, ConservesEnergyAndMomentum) {
    Scene scene = ball_scene(1000);
    const Diagnostics before = diagnose(scene.bodies, scene.gravity, Backend::kCpu);
    Simulation simulation{scene, {}};
    for (int i = 0; i < 200; ++i) simulation.step();
    const Diagnostics after = diagnose(simulation.system().bodies(), scene.gravity, Backend::kCpu);
    EXPECT_NE(before.kinetic, after.kinetic);
    EXPECT_NEAR(after.total(), before.total(), 1e-3 * std::abs(before.total()));
    const Vec3d change = after.momentum - before.momentum;
    EXPECT_LE(std::sqrt(dot(change, change)), 1e-6 * before.momentum_scale);
}

TEST(Simulation, ThrowsForANonFiniteBody) {
    Scene scene = ball_scene(10);
    scene.bodies.velocity[4].x = 3e38;  // finite, but soon overflows in float
    scene.dt = 100;
    Simulation simulation{scene, {}};
    try {
        simulation.step(), simulation.step();
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string{error.what()}.find("body 4"), std::string::npos) << error.what();
    }
}

/// 1 + 1e-16 rounds to 1 in double; 1 − 1e-16 does not.
TEST(Simulation, ThrowsWhenAStepNoLongerChangesTheTime) {
    Scene scene = ball_scene(10);
    scene.time = 1, scene.dt = 1e-16;
    for (const bool reversed : {false, true}) {
        Simulation simulation{scene, {}};
        simulation.set_reversed(reversed);
        EXPECT_THROW(simulation.step(), Error);
    }
    scene.dt = 4e-16;
    Simulation simulation{scene, {}};
    simulation.step();
    EXPECT_GT(simulation.now().time, 1);
}

TEST(Simulation, EvaluatesForcesOncePerStepUnlessPotentialsAreNeeded) {
    Simulation simulation{ball_scene(100), {}};
    simulation.step();
    EXPECT_EQ(simulation.forces().body_forces(), 200u) << "before and during the first step";
    simulation.set_color_by(ColorBy::kMass);
    simulation.step();
    EXPECT_EQ(simulation.forces().body_forces(), 300u);
    EXPECT_FALSE(simulation.forces().color_due());
    simulation.set_color_by(ColorBy::kPotential);
    EXPECT_TRUE(simulation.forces().color_due());
    simulation.step();
    EXPECT_EQ(simulation.forces().body_forces(), 500u) << "once more, with potentials, before the step";
    EXPECT_FALSE(simulation.forces().color_due());
    simulation.set_color_by(ColorBy::kAcceleration);
    EXPECT_FALSE(simulation.forces().color_due()) << "accelerations are current";
    simulation.step();
    EXPECT_EQ(simulation.forces().body_forces(), 700u);
}

TEST(Simulation, FramesHaveMassesRelativeToTheMean) {
    Scene scene = ball_scene(3);
    for (Vec4d& body : scene.bodies.position_mass) body.w = 2;
    Frame frame;
    Simulation{scene, {}}.fill(frame);
    EXPECT_EQ(frame.masses, nullptr) << "all masses are equal";
    scene.bodies.position_mass[2].w = 5;
    Simulation{scene, {}}.fill(frame);
    ASSERT_NE(frame.masses, nullptr);
    EXPECT_EQ(*frame.masses, (std::vector<float>{2.0f / 3, 2.0f / 3, 5.0f / 3}));
}

TEST(Simulation, ReportsProgressOfAnEvaluation) {
    Simulation simulation{ball_scene(2000), {}};
    EXPECT_EQ(simulation.forces().progress(), 0);
    double last = -1;
    for (double now = 0; now > last; now = simulation.forces().progress()) {
        EXPECT_LT(last = now, 1);
        simulation.advance(std::chrono::microseconds{1});
    }
    EXPECT_GT(last, 0.5) << "before the next evaluation";
}

TEST(Simulation, ChecksForNonFiniteBodiesOnlyOnDemand) {
    Simulation simulation{ball_scene(10), {}};
    EXPECT_FALSE(simulation.knows_lost());
    EXPECT_FALSE(simulation.lost());
    EXPECT_TRUE(simulation.knows_lost());
    while (!simulation.advance(std::chrono::seconds{1})) {
    }
    EXPECT_FALSE(simulation.knows_lost()) << "the bodies have moved since";
    simulation.step();
    EXPECT_TRUE(simulation.knows_lost()) << "a complete step ends with a check";
}

TEST(Simulation, RefusesInvalidParameters) {
    Simulation simulation{ball_scene(10), {}};
    for (const double dt : {0.0, -1.0, std::nan(""), HUGE_VAL}) EXPECT_THROW(simulation.set_dt(dt), Error) << dt;
    for (const double softening : {-1.0, std::nan(""), HUGE_VAL})
        EXPECT_THROW(simulation.set_gravity({.softening = softening}), Error) << softening;
}

}  // namespace
}  // namespace orrery::test
