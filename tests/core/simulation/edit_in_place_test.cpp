// SPDX-License-Identifier: MIT
// Bodies edited in place: the conditions, and equality with a simulation created from the edited bodies.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/edit.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {
namespace {

const Edit kThrown{.kind = EditKind::kThrow, .bodies = {3}, .by = {0.25, 0, 0}};
const Edit kAdded{.kind = EditKind::kAddBody, .add = {.mass = 0.1, .position = {0.5, 0.25, 3}}};
const Edit kHeavier{.kind = EditKind::kScaleMass, .bodies = {2, 5}, .factor = 3};

Simulation made(Precision precision = Precision::kSingle, const char* preset = "plummer", std::size_t bodies = 40) {
    EngineConfig engine;
    engine.engine = "direct", engine.backend = Backend::kCpu, engine.precision = precision;
    return {make_preset(preset, {.bodies = bodies}), engine};
}

bool edit_in_place(Simulation& simulation, const Edit& edit, const Scene& settings, const BodyBackup* from = nullptr) {
    const std::array changes{change_of(edit, simulation)};
    return simulation.edit(from, changes, true, {settings, simulation.now().steps, {}});
}
bool edit_in_place(Simulation& simulation, const Edit& edit) {
    return edit_in_place(simulation, edit, present_settings(simulation));
}

/// Continues like a simulation created from the edited bodies, whatever happened before.
TEST(EditsInPlace, ContinueLikeANewSimulationOfTheirBodies) {
    for (const Precision precision : {Precision::kSingle, Precision::kDouble})
        for (const Edit& edit : {kThrown, kAdded, kHeavier}) {
            Simulation simulation = made(precision);
            for (int i = 0; i < 3; ++i) simulation.step();
            Scene scene = present_scene(simulation);
            scene.bodies = edited(edit, scene.gravity, std::move(scene.bodies));
            ASSERT_TRUE(edit_in_place(simulation, edit));
            Simulation fresh{std::move(scene), simulation.engine_config()};
            EXPECT_EQ(simulation.now().steps, 3);
            EXPECT_EQ(simulation.now().time, fresh.now().time);
            EXPECT_FALSE(simulation.forces().fresh());
            for (int i = 0; i < 2; ++i) {
                EXPECT_EQ(simulation.snapshot().bodies.bytes, fresh.snapshot().bodies.bytes) << i;
                simulation.step(), fresh.step();
            }
        }
}

TEST(EditsInPlace, AreRefusedWithinAStepAndForNonFiniteBodies) {
    Simulation simulation = made(Precision::kDouble, "plummer", 2000);
    while (!simulation.within_step()) ASSERT_FALSE(simulation.advance(std::chrono::nanoseconds{1}));
    const auto change = std::array{BodyChange{}};
    EXPECT_FALSE(simulation.edit(nullptr, std::span{change}.first(0), true, {present_settings(simulation), 0, {}}));
    Simulation lost = made(Precision::kSingle, "figure-eight", 3);
    ASSERT_FALSE(lost.lost());
    EXPECT_TRUE(edit_in_place(lost, {.kind = EditKind::kThrow, .bodies = {0}, .by = {1e38, 0, 0}}));
    try {
        for (int i = 0; i < 100; ++i) lost.step();
        ADD_FAILURE() << "the body should have become non-finite";
    } catch (const Error&) {
    }
    ASSERT_TRUE(lost.lost());
    EXPECT_FALSE(lost.edit(nullptr, std::span{change}.first(0), true, {present_settings(lost), 0, {}}));
}

TEST(EditsInPlace, RequireAnUnchangedLawThatAttractsMasses) {
    Simulation simulation = made();
    Scene settings = present_settings(simulation);
    EXPECT_TRUE(edit_in_place(simulation, kThrown, settings));
    settings.gravity.law = PairLaw::kSpline;
    EXPECT_FALSE(edit_in_place(simulation, kThrown, settings)) << "from gravity to the spline";
    Gravity spline = simulation.scene().gravity;
    spline.law = PairLaw::kSpline;
    simulation.set_gravity(spline);
    settings = present_settings(simulation);
    EXPECT_TRUE(edit_in_place(simulation, kThrown, settings));
    settings.gravity.law = PairLaw::kGravity;
    EXPECT_TRUE(edit_in_place(simulation, kThrown, settings)) << "every engine computes this law";
    Simulation drop = made(Precision::kSingle, "argon-drop");
    EXPECT_FALSE(edit_in_place(drop, kThrown));
}

TEST(EditsInPlace, RestoreOnlyBackupsOfTheSamePrecision) {
    Simulation single = made(), twice = made(Precision::kDouble);
    const BodyBackup kept = backup_of(single), doubled = backup_of(twice);
    EXPECT_FALSE(edit_in_place(single, kThrown, present_settings(single), &doubled));
    EXPECT_FALSE(edit_in_place(twice, kThrown, present_settings(twice), &kept));
    const auto before = single.snapshot().bodies.bytes;
    single.step();
    EXPECT_TRUE(single.edit(&kept, {}, false, {present_settings(single), 0, {}}));
    EXPECT_EQ(single.snapshot().bodies.bytes, before);
}

/// Shared columns must not move while others hold them.
TEST(EditsInPlace, KeepTheNumberOfBodiesWhileColumnsAreShared) {
    Simulation simulation = made();
    const BodyBackup kept = backup_of(simulation);
    {
        const auto shared = simulation.system().shared_from_this();
        EXPECT_TRUE(edit_in_place(simulation, kThrown));
        EXPECT_FALSE(edit_in_place(simulation, kAdded));
        EXPECT_EQ(simulation.system().count(), 40u);
        const std::array changes{change_of(kAdded, simulation), change_of(kAdded, simulation).reversed()};
        EXPECT_FALSE(simulation.edit(nullptr, changes, true, {present_settings(simulation), 0, {}}))
            << "not even temporarily";
    }
    EXPECT_TRUE(edit_in_place(simulation, kAdded));
    EXPECT_EQ(simulation.system().count(), 41u);
    const auto shared = simulation.system().shared_from_this();
    EXPECT_FALSE(simulation.edit(&kept, {}, false, {present_settings(simulation), 0, {}}))
        << "the backup has 40 bodies";
    EXPECT_TRUE(edit_in_place(simulation, kThrown));
}

TEST(EditsInPlace, WithEncountersRequireBodiesWithIds) {
    Simulation simulation = made();
    Scene settings = present_settings(simulation);
    settings.encounters = {.kind = EncounterKind::kMerge, .density = 1e6};
    EXPECT_FALSE(edit_in_place(simulation, kThrown, settings));
    simulation.set_encounters(settings.encounters);
    EXPECT_TRUE(edit_in_place(simulation, kThrown, present_settings(simulation)));
}

}  // namespace
}  // namespace orrery::test
