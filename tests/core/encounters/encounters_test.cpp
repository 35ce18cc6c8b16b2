// SPDX-License-Identifier: MIT
// Encounters of bodies in a simulation: conservation laws, the ledger, and restoring after mergers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "core/analysis/diagnostics.hpp"
#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/live/world.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/checkpoint.hpp"
#include "tests/support/every_engine.hpp"
#include "tests/support/new_folder.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

constexpr EngineConfig kDouble{.precision = Precision::kDouble};

Scene two(double m0, double m1, Vec3d v0, Vec3d v1, const EncounterRule& rule) {
    Scene scene;
    scene.bodies.add({-1, 0, 0}, v0, m0);
    scene.bodies.add({1, 0, 0}, v1, m1);
    scene.gravity.constant = 1e-12;  // negligible gravity
    scene.encounters = rule;
    scene.dt = 0.01;
    return scene;
}

/// A collapsing sphere of bodies large enough to touch often.
Scene crowd(std::size_t count, double radius, EncounterKind kind, unsigned seed = 5) {
    Scene scene = make_preset("uniform-sphere", {.bodies = count, .seed = seed});
    const double mass = 1 / static_cast<double>(count);
    scene.encounters = {.kind = kind, .density = 3 * mass / (4 * M_PI * radius * radius * radius), .restitution = 0.7};
    scene.gravity.softening = 0.02;
    scene.dt = 0.01;
    return scene;
}

struct Sums {
    double mass = 0, energy = 0;
    Vec3d momentum{}, angular_momentum{};
};
Sums sums_of(const Simulation& simulation) {
    const Diagnostics d = diagnose(simulation.system().bodies(), simulation.scene().gravity, Backend::kCpu);
    return {d.mass, d.total(), d.momentum, d.angular_momentum};
}

TEST(Encounters, HeadOnMergerConservesMomentum) {
    const EncounterRule rule{.kind = EncounterKind::kMerge, .radius = 0.1};
    Simulation simulation{two(3, 1, {1, 0, 0}, {-2, 0, 0}, rule), kDouble};
    while (simulation.system().count() == 2) simulation.step();
    // They touch when 2 − 3 t = 0.2.
    ASSERT_EQ(simulation.encounters().log().last.size(), 1u);
    const Encounter& met = simulation.encounters().log().last.front();
    EXPECT_NEAR(met.time, 0.6, 1e-9);
    EXPECT_EQ(met.step, 60);
    EXPECT_EQ(met.first, 0u);
    EXPECT_EQ(met.second, 1u);
    EXPECT_NEAR(met.speed, 3, 1e-9);
    EXPECT_NEAR(met.energy, 0.5 * (3.0 * 1 / 4) * 9, 1e-9);  // ½ μ v²
    const Bodies bodies = simulation.system().bodies();
    EXPECT_EQ(bodies.position_mass[0].w, 4);
    EXPECT_NEAR(bodies.velocity[0].x, 0.25, 1e-12);
    EXPECT_NEAR(bodies.position_mass[0].x, -0.5 + 0.25 * 0.6, 1e-12);
    EXPECT_EQ(simulation.encounters().log().ledger.merges, 1u);
}

TEST(Encounters, HeadOnBounceFollowsRestitution) {
    for (const double restitution : {0.0, 0.5, 1.0}) {
        const EncounterRule rule{.kind = EncounterKind::kBounce, .radius = 0.1, .restitution = restitution};
        Simulation simulation{two(3, 1, {1, 0, 0}, {-2, 0, 0}, rule), kDouble};
        for (int i = 0; i < 100; ++i) simulation.step();
        const Bodies bodies = simulation.system().bodies();
        const double common = 0.25;  // velocity of the centre of mass
        EXPECT_NEAR(bodies.velocity[0].x, common - restitution * 0.75, 1e-9) << restitution;
        EXPECT_NEAR(bodies.velocity[1].x, common + restitution * 2.25, 1e-9) << restitution;
        EXPECT_GE(simulation.encounters().log().ledger.bounces, 1u) << restitution;
        if (restitution > 0) {
            EXPECT_EQ(simulation.encounters().log().ledger.bounces, 1u) << restitution;
        }
        EXPECT_NEAR(simulation.encounters().log().ledger.energy, 0.5 * 0.75 * 9 * (1 - restitution * restitution),
                    1e-9);
        // After the contact at 0.6, where the centre is at −0.35.
        const double apart = bodies.position_mass[1].x - bodies.position_mass[0].x;
        EXPECT_NEAR(apart, 0.2 + 3 * restitution * 0.4, 1e-9) << restitution;
    }
}

TEST(Encounters, FastBodyDoesNotTunnelThroughAnother) {
    const EncounterRule rule{.kind = EncounterKind::kBounce, .radius = 0.01};
    Scene scene = two(1, 1000, {150, 0, 0}, {0, 0, 0}, rule);  // 75 diameters per step
    Simulation simulation{scene, kDouble};
    for (int i = 0; i < 3; ++i) simulation.step();
    EXPECT_EQ(simulation.encounters().log().ledger.bounces, 1u);
    EXPECT_LT(simulation.system().bodies().velocity[0].x, -149);
    EXPECT_LT(simulation.system().bodies().position_mass[0].x, 1);
}

TEST(Encounters, ThousandsOfMergersConserveMassAndMomentum) {
    const auto bodies = everyday<std::size_t>(3600, 12000), merges = bodies / 6 * 5;
    const double radius = 0.03 * std::cbrt(12000.0 / static_cast<double>(bodies));
    for (const Precision precision : {Precision::kSingle, Precision::kDouble}) {
        Simulation simulation{crowd(bodies, radius, EncounterKind::kMerge),
                              {.engine = "tree", .precision = precision, .tree = {.accuracy = 1e-2}}};
        Pool pool{0, false};
        const Motion before = motion_of(pool, simulation.system().bodies());
        int steps = 0;
        while (simulation.encounters().log().ledger.merges < merges && ++steps < 60) simulation.step();
        const EncounterLedger& booked = simulation.encounters().log().ledger;
        ASSERT_GE(booked.merges, merges);
        EXPECT_EQ(simulation.system().count() + booked.merges, bodies);
        const Motion after = motion_of(pool, simulation.system().bodies());
        const bool single = precision == Precision::kSingle;
        // Measured relative to the mass 1: 2.1e-5 in single precision, where each merger rounds, and 2e-15 in double.
        EXPECT_NEAR(after.mass, before.mass, single ? 5e-5 : 1e-13);
        EXPECT_NEAR(after.mass + booked.mass, before.mass, 1e-13);
        EXPECT_LT(std::abs(booked.mass), single ? 5e-5 : 1e-13);
        EXPECT_LT(length(booked.momentum), single ? 5e-5 : 1e-13);
    }
}

TEST(Encounters, LedgerAccountsForEnergyAndAngularMomentum) {
    for (const EncounterKind kind : {EncounterKind::kMerge, EncounterKind::kBounce}) {
        Scene scene = crowd(300, 0.03, kind);
        scene.dt = 0.001;
        Simulation simulation{scene, kDouble};
        const Sums before = sums_of(simulation);
        for (int i = 0; i < 400; ++i) simulation.step();
        const EncounterLedger& booked = simulation.encounters().log().ledger;
        const Sums after = sums_of(simulation);
        EXPECT_GT(booked.count(), 50u);
        EXPECT_GT(std::abs(after.energy - before.energy), 0.01) << "the ledger has nothing to account for";
        EXPECT_NEAR(after.energy + booked.energy, before.energy, 1e-4 * std::abs(before.energy));
        EXPECT_LT(length(after.angular_momentum + booked.angular_momentum - before.angular_momentum), 1e-10);
        EXPECT_LT(length(after.momentum - before.momentum), 1e-13);
    }
}

TEST(Encounters, ElasticBouncesConserveEnergy) {
    Scene scene = crowd(200, 0.03, EncounterKind::kBounce);
    scene.encounters.restitution = 1;
    scene.dt = 0.001;
    Simulation simulation{scene, kDouble};
    const Sums before = sums_of(simulation);
    for (int i = 0; i < 400; ++i) simulation.step();
    EXPECT_GT(simulation.encounters().log().ledger.bounces, 20u);
    EXPECT_NEAR(sums_of(simulation).energy, before.energy, 1e-3 * std::abs(before.energy));
}

TEST(Encounters, OnlyMarkedBodiesAccrete) {
    Scene scene = crowd(500, 0.05, EncounterKind::kAccrete);
    scene.bodies.species.assign(500, Species::kStars);
    scene.bodies.species[7] = scene.bodies.species[400] = Species::kBoundary;
    scene.encounters.radius = 0.2;
    Simulation simulation{scene, kDouble};
    for (int i = 0; i < 100; ++i) simulation.step();
    const EncounterLedger& booked = simulation.encounters().log().ledger;
    EXPECT_GT(booked.accretions, 10u);
    EXPECT_LE(booked.merges, 1u);  // of the two accretors
    for (const Encounter& met : simulation.encounters().log().last) EXPECT_TRUE(met.first == 7 || met.first == 400);
    EXPECT_EQ(simulation.system().count() + booked.count(), 500u);
}

std::set<std::uint64_t> ids_after(Scene scene, int steps) {
    Simulation simulation{std::move(scene), kDouble};
    for (int i = 0; i < steps; ++i) simulation.step();
    const auto& ids = simulation.system().labels().ids;
    return {ids.begin(), ids.end()};
}

TEST(Encounters, AreIndependentOfBodyOrder) {
    for (const EncounterKind kind : {EncounterKind::kMerge, EncounterKind::kAccrete}) {
        Scene scene = crowd(800, 0.06, kind);
        scene.encounters.radius = 0.3;
        scene.bodies.ids.resize(800);
        std::iota(scene.bodies.ids.begin(), scene.bodies.ids.end(), 1000u);
        scene.bodies.species.assign(800, Species::kStars);
        for (const std::size_t i : {3, 99, 500}) scene.bodies.species[i] = Species::kBoundary;
        const std::set<std::uint64_t> there = ids_after(scene, 5);
        EXPECT_LT(there.size(), 795u);
        std::vector<std::size_t> order(800);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::shuffle(order, std::mt19937{3});
        Scene other = scene;
        for (std::size_t i = 0; i < 800; ++i) {
            other.bodies.position_mass[i] = scene.bodies.position_mass[order[i]];
            other.bodies.velocity[i] = scene.bodies.velocity[order[i]];
            other.bodies.ids[i] = scene.bodies.ids[order[i]];
            other.bodies.species[i] = scene.bodies.species[order[i]];
        }
        EXPECT_EQ(ids_after(other, 5), there);
    }
}

TEST(Encounters, MergedBodyKeepsNameAndIdOfTheHeavier) {
    Scene scene = two(1, 3, {1, 0, 0}, {-2, 0, 0}, {.kind = EncounterKind::kMerge, .radius = 0.1});
    scene.bodies.names = {"light", "heavy"};
    scene.bodies.ids = {40, 50};
    Simulation simulation{scene, kDouble};
    for (int i = 0; i < 80; ++i) simulation.step();
    EXPECT_EQ(simulation.system().labels().names, std::vector<std::string>{"heavy"});
    EXPECT_EQ(simulation.system().labels().ids, std::vector<std::uint64_t>{50});
}

TEST(Encounters, ResumesBitwiseFromACheckpoint) {
    const auto folder = new_folder();
    for (const EncounterKind kind : {EncounterKind::kMerge, EncounterKind::kBounce})
        for (const Precision precision : {Precision::kSingle, Precision::kDouble}) {
            Simulation simulation{crowd(600, 0.05, kind), {.engine = "tree", .precision = precision}};
            for (int i = 0; i < 4; ++i) simulation.step();
            ASSERT_GT(simulation.encounters().log().ledger.count(), 20u);
            const auto path = folder / "run.orrery";
            write_checkpoint(checkpoint_of(simulation, {.steps = 4}), path);
            Simulation other = resume(read_run(path));
            EXPECT_EQ(other.encounters().log().ledger, simulation.encounters().log().ledger);
            EXPECT_EQ(other.scene().encounters, simulation.scene().encounters);
            for (int i = 0; i < 6; ++i) simulation.step(), other.step();
            EXPECT_GT(other.encounters().log().ledger.count(), 40u);
            EXPECT_EQ(other.snapshot().bodies.bytes, simulation.snapshot().bodies.bytes);
            EXPECT_EQ(other.encounters().log().ledger, simulation.encounters().log().ledger);
            EXPECT_EQ(other.system().labels().ids, simulation.system().labels().ids);
        }
    std::filesystem::remove_all(folder);
}

TEST(Encounters, RestoringUndoesAMerger) {
    Simulation simulation{crowd(300, 0.05, EncounterKind::kMerge), kDouble};
    simulation.step();
    const Snapshot early = simulation.snapshot();
    for (int i = 0; i < 10; ++i) simulation.step();
    const Snapshot late = simulation.snapshot();
    ASSERT_LT(late.bodies.count, early.bodies.count);
    simulation.restore(early);
    EXPECT_EQ(simulation.system().count(), early.bodies.count);
    EXPECT_EQ(simulation.encounters().log().ledger, early.encounters);
    EXPECT_EQ(simulation.encounters().log().last.size(), early.encounters.count());
    EXPECT_EQ(simulation.system().labels().ids, early.labels->ids);
    simulation.restore(late);  // and forward again
    EXPECT_EQ(simulation.system().labels().ids, late.labels->ids);
    simulation.restore(early);
    for (int i = 0; i < 10; ++i) simulation.step();
    EXPECT_EQ(simulation.snapshot().bodies.bytes, late.bodies.bytes);
}

TEST(Encounters, AreOffWhileTimeRunsBackward) {
    Scene scene = two(1, 1, {-1, 0, 0}, {1, 0, 0}, {.kind = EncounterKind::kMerge, .radius = 0.1});
    Simulation simulation{scene, kDouble};
    simulation.set_reversed(true);
    for (int i = 0; i < 150; ++i) simulation.step();
    EXPECT_EQ(simulation.system().count(), 2u);
}

TEST(Encounters, SwitchingThemOnCanBeUndone) {
    Scene scene = crowd(200, 0.05, EncounterKind::kMerge);
    const EncounterRule rule = scene.encounters;
    scene.encounters = {};
    World run{Simulation{scene, kDouble}};
    const auto alone = [](const std::string& why) { ADD_FAILURE() << why; };
    run.take_steps(3, alone);
    EXPECT_EQ(run.simulation.system().count(), 200u);
    EXPECT_TRUE(run.apply(SetEncounters{rule}));
    run.take_steps(5, alone);
    const std::size_t before = run.simulation.system().count();
    const EncounterLedger booked = run.simulation.encounters().log().ledger;
    EXPECT_LT(before, 200u);
    run.apply(EditBodies{{.kind = EditKind::kRemove, .bodies = {0, 1}}});
    EXPECT_EQ(run.simulation.system().count(), before - 2);
    EXPECT_EQ(run.simulation.encounters().log().ledger, booked);
    run.take_steps(5, alone);
    run.apply(Undo{});
    EXPECT_EQ(run.simulation.system().count(), before);
    EXPECT_EQ(run.simulation.encounters().log().ledger, booked);
    run.apply(Redo{});
    EXPECT_EQ(run.simulation.scene().encounters, rule);
}

TEST(Encounters, ComparisonContinuesWithDifferentBodyCounts) {
    World run{Simulation{crowd(200, 0.04, EncounterKind::kMerge), kDouble}};
    const auto alone = [](const std::string& why) { ADD_FAILURE() << why; };
    run.apply(SetCompare{{.engine = {.precision = Precision::kSingle}, .softening = 0.2}});
    run.apply(SetDifferences{true});
    run.take_steps(30, alone);
    Frame frame;
    run.simulation.fill(frame);
    run.comparison.fill(run.simulation, frame, false);
    ASSERT_TRUE(frame.other);
    EXPECT_NE(frame.other->count, frame.count) << "the body counts must differ for this test to mean anything";
    EXPECT_EQ(frame.other->host.size(), frame.other->count);
}

TEST(Encounters, InvalidRulesAreRefusedInOneLine) {
    const auto refused = [](const Scene& scene, const EngineConfig& engine, const char* word) {
        try {
            Simulation simulation{scene, engine};
            ADD_FAILURE() << word;
        } catch (const Error& error) {
            EXPECT_NE(std::string{error.what()}.find(word), std::string::npos) << error.what();
            EXPECT_EQ(error.blame(), Blame::kUsage);
        }
    };
    Scene scene = crowd(50, 0.05, EncounterKind::kMerge);
    refused(scene, {.engine = "triplet"}, "triplets");
    scene.integrator = "leapfrog-block";
    refused(scene, {}, "leapfrog-block");
    scene.integrator = "leapfrog";
    scene.encounters.density = 0;
    refused(scene, {}, "density");
    scene.encounters.density = -1;
    refused(scene, {}, "density");
    scene = make_preset("argon-drop", {.bodies = 100});
    scene.encounters = {.kind = EncounterKind::kBounce, .radius = 0.1};
    refused(scene, {}, "law");

    Simulation simulation{crowd(50, 0.05, EncounterKind::kMerge), {}};
    EXPECT_THROW(simulation.set_engine({.engine = "triplet"}), Error);
    EXPECT_THROW(simulation.set_integrator("leapfrog-block"), Error);
    EXPECT_THROW(simulation.set_encounters({.kind = EncounterKind::kBounce}), Error);
    EXPECT_EQ(simulation.scene().encounters.kind, EncounterKind::kMerge);
}

/// With every engine: restoring a snapshot from before or after a merger reproduces the same states.
class EveryEngineMerges : public NeedsEngine {};

TEST_P(EveryEngineMerges, RepeatsMergersAfterARestore) {
    const EngineConfig config = GetParam().config();
    if (GetParam().entry->law != Law::kPairs || !GetParam().entry->repeats(config)) GTEST_SKIP() << "does not repeat";
    Simulation simulation{crowd(GetParam().slow_on_purpose() ? 150 : 700, 0.03, EncounterKind::kMerge), config};
    simulation.step();
    const Snapshot early = simulation.snapshot();
    for (int i = 0; i < 5; ++i) simulation.step();
    const Snapshot late = simulation.snapshot();
    ASSERT_LT(late.bodies.count, early.bodies.count);
    simulation.restore(early);
    for (int i = 0; i < 5; ++i) simulation.take_steps(std::chrono::hours{1}, 5);
    simulation.restore(early);
    for (int i = 0; i < 5; ++i) simulation.step();
    EXPECT_EQ(simulation.snapshot().bodies.bytes, late.bodies.bytes);
    EXPECT_EQ(simulation.encounters().log().ledger, late.encounters);
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryEngineMerges, testing::ValuesIn(every_engine(Law::kPairs)), case_name);

}  // namespace
}  // namespace orrery::test
