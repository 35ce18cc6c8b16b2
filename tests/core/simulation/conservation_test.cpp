// SPDX-License-Identifier: MIT
#include "core/simulation/conservation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace orrery::test {
namespace {

Diagnostics state(double kinetic, double potential, double momentum_scale = 0) {
    Diagnostics found;
    found.mass = 1, found.kinetic = kinetic, found.potential = potential, found.momentum_scale = momentum_scale;
    return found;
}

TEST(Conservation, WarnsAboveOnePercentOfTheEnergy) {
    const Diagnostics first = state(0.25, -0.5);
    const Conservation kept = conserved(first, state(0.252, -0.5), {});
    EXPECT_NEAR(kept.energy, 8e-3, 1e-15);
    EXPECT_TRUE(kept.kept);
    EXPECT_EQ(warning_of(kept, 0), "");
    const Conservation lost = conserved(first, state(3.5, -0.5), {});
    EXPECT_NEAR(lost.energy, 13, 1e-12);
    EXPECT_FALSE(lost.kept);
    EXPECT_THAT(warning_of(lost, 0), testing::HasSubstr("|ΔE/E| = 13 is more than 0.01"));
    EXPECT_THAT(warning_of(lost, 0), testing::HasSubstr("adaptive steps"));
    EXPECT_THAT(warning_of(lost, 0.05), testing::HasSubstr("an adaptive limit below 0.05"));
}

// A parabolic encounter has zero energy, so any relative change would be infinite.
TEST(Conservation, DoesNotDivideByATotalEnergyNearZero) {
    const Diagnostics first = state(1, -1);
    EXPECT_TRUE(conserved(first, state(1.001, -1), {}).kept);
    EXPECT_FALSE(conserved(first, state(1.1, -1), {}).kept);
    EXPECT_TRUE(conserved(state(0, 0), state(0, 0), {}).kept);
}

TEST(Conservation, AccountsForEnergyOfEncounters) {
    EncounterLedger met;
    met.energy = -3;
    Diagnostics last = state(0, 0);
    last.momentum = {1e-16, 0, 0}, last.momentum_scale = 3e-16;
    const Conservation found = conserved(state(0, -3), last, met);
    EXPECT_EQ(found.energy, 0);
    EXPECT_TRUE(found.kept);
    EXPECT_LT(found.momentum, 1e-16) << "relative to the momenta of the encounter, not to those of bodies at rest";
}

TEST(Conservation, MomentumIsRelativeToTheLargestOfTheRun) {
    Diagnostics first = state(1, -2, 10), last = state(1, -2, 1e-9);
    last.momentum = {0, 1e-3, 0};
    EXPECT_NEAR(conserved(first, last, {}).momentum, 1e-4, 1e-18);
    EXPECT_NEAR(conserved(last, first, {}).momentum, 1e-4, 1e-18);
}

TEST(Conservation, NonFiniteEnergiesAreReported) {
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double bad : {infinite, -infinite, std::nan("")}) {
        const Conservation found = conserved(state(1, -2), state(bad, -2), {});
        EXPECT_FALSE(found.finite);
        EXPECT_FALSE(found.kept);
        EXPECT_THAT(warning_of(found, 0), testing::HasSubstr("is not finite"));
    }
}

}  // namespace
}  // namespace orrery::test
