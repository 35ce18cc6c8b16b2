// SPDX-License-Identifier: MIT
// Hermite's scheme and block steps: jerks, what they give and save, who refuses them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/diagnostics/diagnostics.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation.hpp"

namespace orrery {
namespace {

constexpr EngineConfig kDouble{.precision = Precision::kDouble, .threads = 1};

double length(Vec3d a) { return std::sqrt(dot(a, a)); }

struct PullAndJerk {
    Vec3d pull{}, jerk{};
};

/// Aarseth 2003, Gravitational N-Body Simulations, eq. 2.9 and 2.10, softened, in a plain loop.
PullAndJerk plain(const Bodies& bodies, const Gravity& gravity, std::size_t i) {
    PullAndJerk sum;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Vec3d x = xyz(bodies.position_mass[j]) - xyz(bodies.position_mass[i]);
        const Vec3d v = bodies.velocity[j] - bodies.velocity[i];
        const double r2 = dot(x, x) + gravity.softening * gravity.softening;
        if (j == i || r2 == 0) continue;
        const double factor = gravity.constant * bodies.position_mass[j].w / (r2 * std::sqrt(r2));
        sum.pull = sum.pull + factor * x;
        sum.jerk = sum.jerk + factor * (v - 3 * dot(x, v) / r2 * x);
    }
    return sum;
}

class EveryJerkEngine : public testing::TestWithParam<EngineEntry> {
protected:
    template <class Real>
    void compare(const Scene& scene, double tolerance) {
        const auto made =
            GetParam().make({.precision = sizeof(Real) == 4 ? Precision::kSingle : Precision::kDouble, .threads = 2});
        auto& engine = *std::get<std::unique_ptr<Engine<Host, Real>>>(made);
        const std::size_t count = scene.bodies.size();
        std::vector<Vec4<Real>> place(count), velocity(count), pull(count), jerk(count);
        std::vector<std::uint32_t> rows;
        for (std::uint32_t i = 0; i < count; ++i) {
            place[i] = convert<Real>(scene.bodies.position_mass[i]);
            const Vec3d v = scene.bodies.velocity[i];
            velocity[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
            if (i % 3 != 1) rows.push_back(i);
        }
        const auto items =
            engine.begin_with_jerk({place.data(), pull.data(), count},
                                   {velocity.data(), jerk.data(), rows.data(), rows.size()}, scene.gravity, {});
        engine.run(0, items / 2, {});
        engine.run(items / 2, items, {});
        double off = 0, all = 0, jerk_off = 0, jerk_all = 0;
        for (const std::uint32_t i : rows) {
            const PullAndJerk wanted = plain(scene.bodies, scene.gravity, i);
            const Vec3d a = xyz(convert<double>(pull[i])) - wanted.pull,
                        b = xyz(convert<double>(jerk[i])) - wanted.jerk;
            off += dot(a, a), all += dot(wanted.pull, wanted.pull);
            jerk_off += dot(b, b), jerk_all += dot(wanted.jerk, wanted.jerk);
        }
        EXPECT_LE(off, tolerance * tolerance * all) << count;
        EXPECT_LE(jerk_off, tolerance * tolerance * jerk_all) << count;
        for (std::size_t i = 1; i < count; i += 3) EXPECT_EQ(pull[i], Vec4<Real>{}) << "nobody asked for body " << i;
    }
};

TEST_P(EveryJerkEngine, GivesThePlainLoopsPullsAndJerksOfTheRowsAskedFor) {
    for (const std::size_t count : {1, 2, 7, 16, 33, 300, 5000}) {
        Scene scene = make_preset("plummer", {count, 4});
        compare<double>(scene, 1e-13);
        compare<float>(scene, 1e-5);
        if (count > 2) scene.bodies.position_mass[1] = scene.bodies.position_mass[0];
        scene.gravity.softening = 0;
        compare<double>(scene, 1e-12);
    }
}

std::vector<EngineEntry> jerk_engines() {
    std::vector<EngineEntry> found;
    for (const EngineEntry& entry : engines())
        if (entry.jerk) found.push_back(entry);
    return found;
}
INSTANTIATE_TEST_SUITE_P(Menu, EveryJerkEngine, testing::ValuesIn(jerk_engines()),
                         [](const auto& line) { return std::string{line.param.id}; });

/// A cluster with a tight binary in it, which needs steps hundreds of times shorter than the rest.
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
    while (simulation.time() < 1 - 1e-9) simulation.step();
    return simulation.system().bodies();
}

double largest_difference(const Bodies& a, const Bodies& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, length(xyz(a.position_mass[i]) - xyz(b.position_mass[i])));
    return most;
}

TEST(BlockSteps, EndWhereSmallSharedStepsEndForFewerForces) {
    Scene scene = cluster_with_binary();
    scene.adaptive = 1e-3;
    Simulation block{scene, kDouble, "hermite4-block"};
    scene.adaptive = 0;
    scene.dt = 1.0 / 2048;
    Simulation shared{scene, kDouble, "hermite4"};
    scene.dt = 1.0 / 4096;
    Simulation finer{scene, kDouble, "hermite4"};
    const Bodies end = after_one(finer);
    EXPECT_LT(largest_difference(after_one(shared), end), 1e-5);
    EXPECT_LT(largest_difference(after_one(block), end), 1e-5);
    EXPECT_LT(4 * block.body_forces(), shared.body_forces());
    EXPECT_EQ(shared.body_forces(), 66 * (2 * 2048 + 1));
}

TEST(BlockSteps, KeepTheEnergyOfAClusterBetterTheSmallerEta) {
    const auto drift = [](double eta) {
        Scene scene = cluster_with_binary();
        scene.adaptive = eta;
        Simulation simulation{scene, kDouble, "hermite4-block"};
        const double before = diagnose(scene.bodies, scene.gravity, kDouble).total();
        const Bodies after = after_one(simulation);
        return std::abs(diagnose(after, scene.gravity, kDouble).total() / before - 1);
    };
    const double coarse = drift(0.02), fine = drift(0.02 / 16);
    EXPECT_LT(coarse, 1e-4);
    EXPECT_LT(fine, coarse / 30) << "a quarter of the step, fourth order";
}

TEST(BlockSteps, TakeMoreBodiesThanPairsCanBeLookedAtFor) {
    Scene scene = make_preset("plummer", {2500, 1});
    scene.adaptive = 0.02;
    EXPECT_NO_THROW((Simulation{scene, kDouble, "hermite4-block"}));
    EXPECT_THROW((Simulation{scene, kDouble, "hermite4"}), Error);
}

TEST(Hermite, IsRefusedByEnginesWithoutJerks) {
    const Scene scene = make_preset("plummer", {100, 1});
    for (const IntegratorEntry& entry : integrators()) {
        if (!entry.jerk) continue;
        EngineConfig tree = kDouble;
        tree.engine = "tree";
        try {
            Simulation refused{scene, tree, entry.id};
            FAIL() << entry.id;
        } catch (const Error& error) {
            EXPECT_NE(std::string{error.what()}.find("there is direct on cpu"), std::string::npos) << error.what();
        }
        Simulation simulation{scene, kDouble, entry.id};
        simulation.step();
        EXPECT_THROW(simulation.set_engine(tree), Error);
        EXPECT_EQ(simulation.engine_config().engine, "direct");
        simulation.set_integrator("leapfrog");
        simulation.set_engine(tree);
        EXPECT_THROW(simulation.set_integrator(entry.id), Error);
        EXPECT_EQ(simulation.integrator_entry().id, "leapfrog");
        simulation.step();
    }
}

/// Works on a step until some of it is done.
void enter_step(Simulation& simulation) {
    while (!simulation.within_step()) ASSERT_FALSE(simulation.advance(std::chrono::nanoseconds{1}));
}

TEST(Hermite, AStepBegunIsTakenFromItsBeginningWhenTheEngineChanges) {
    Scene scene = make_preset("plummer", {300, 1});
    scene.dt = 0.01;
    for (const std::string_view id : {"hermite4", "hermite4-block"}) {
        Simulation whole{scene, kDouble, id}, cut{scene, kDouble, id};
        whole.step(), cut.step();
        enter_step(cut);
        cut.set_engine(kDouble);
        EXPECT_FALSE(cut.within_step());
        cut.step(), whole.step();
        EXPECT_EQ(cut.system().bodies().position_mass, whole.system().bodies().position_mass);
        EXPECT_EQ(cut.time(), whole.time());
    }
}

TEST(Hermite, GoesOnFromASnapshotToTheBit) {
    Scene scene = cluster_with_binary();
    for (const std::string_view id : {"hermite4", "hermite4-block"}) {
        Simulation simulation{scene, kDouble, id};
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

TEST(Hermite, GivesWayToAnotherIntegratorAndComesBack) {
    Scene scene = make_preset("plummer", {50, 1});
    Simulation simulation{scene, kDouble, "leapfrog"};
    simulation.step();
    simulation.set_integrator("hermite4");
    simulation.step();
    simulation.set_integrator("leapfrog");
    simulation.step();
    EXPECT_EQ(simulation.steps(), 3);
    Simulation plain{scene, kDouble, "leapfrog"};
    for (int i = 0; i < 3; ++i) plain.step();
    EXPECT_LT(largest_difference(simulation.system().bodies(), plain.system().bodies()), 1e-3);
}

}  // namespace
}  // namespace orrery
