// SPDX-License-Identifier: MIT
#include "core/physics/encounter_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/base/error.hpp"

namespace orrery::test {
namespace {

constexpr double kSphere = 4 * std::numbers::pi / 3;

TEST(EncounterRule, RadiusFollowsFromDensity) {
    const EncounterRule rule{.kind = EncounterKind::kMerge, .density = 2};
    for (const double mass : {0.001, 1.0, 7.0}) {
        const double radius = radius_of(rule, mass, false);
        EXPECT_NEAR(kSphere * radius * radius * radius * rule.density, mass, 1e-14 * mass);
        EXPECT_EQ(radius_of(rule, mass, true), radius) << "without a radius, marked bodies use the density too";
    }
}

TEST(EncounterRule, ExplicitRadiusAppliesToMarkedBodiesOrAll) {
    const EncounterRule of_marked{.density = 2, .radius = 0.5}, of_all{.radius = 0.5}, of_none;
    EXPECT_EQ(radius_of(of_marked, 3, true), 0.5);
    EXPECT_NEAR(radius_of(of_marked, 3, false), std::cbrt(3 / (kSphere * 2)), 1e-15);
    EXPECT_EQ(radius_of(of_all, 3, true), 0.5);
    EXPECT_EQ(radius_of(of_all, 3, false), 0.5);
    EXPECT_EQ(radius_of(of_none, 3, false), 0);
    EXPECT_EQ(radius_of(of_none, 3, true), 0);
}

TEST(EncounterRule, SuggestedDensityMakesRadiusEqualSoftening) {
    const EncounterRule rule{.density = suggested_density(3, 0.02)};
    EXPECT_NEAR(radius_of(rule, 3, false), 0.02, 1e-15);
    EXPECT_EQ(suggested_density(3, 0), 0);
}

TEST(EncounterRule, IsRefusedWhenOutOfRange) {
    const EncounterRule sound{.kind = EncounterKind::kBounce, .density = 1};
    EXPECT_NO_THROW(validate(sound));
    EXPECT_NO_THROW(validate({.kind = EncounterKind::kBounce, .radius = 1}));
    EXPECT_NO_THROW(validate(EncounterRule{})) << "needs no size when off";
    EXPECT_THROW(validate({.kind = EncounterKind::kMerge}), Error) << "no size";
    for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
        EncounterRule rule = sound;
        rule.density = bad;
        EXPECT_THROW(validate(rule), Error) << "density " << bad;
        rule = sound, rule.radius = bad;
        EXPECT_THROW(validate(rule), Error) << "radius " << bad;
        rule = sound, rule.restitution = bad;
        EXPECT_THROW(validate(rule), Error) << "restitution " << bad;
    }
    for (const double good : {0.0, 0.5, 1.0}) {
        EncounterRule rule = sound;
        rule.restitution = good;
        EXPECT_NO_THROW(validate(rule)) << good;
    }
    EncounterRule more = sound;
    more.restitution = 1.0001;
    EXPECT_THROW(validate(more), Error);
}

TEST(EncounterRule, KindsAreFoundByTheirNames) {
    for (const EncounterEntry& entry : encounter_kinds()) {
        EXPECT_EQ(&encounter_kind(entry.id), &entry);
        EXPECT_EQ(&encounter_kind(entry.kind), &entry);
        EXPECT_EQ(EncounterRule{.kind = entry.kind}.on(), entry.id != "off");
    }
    EXPECT_THROW(encounter_kind("swallow"), Error);
}

}  // namespace
}  // namespace orrery::test
