// SPDX-License-Identifier: MIT
#include "core/physics/starlight.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/bodies/bodies.hpp"

namespace orrery {
namespace {

/// A row of the table: log10 of the light of 10^10.1 years at Z = 0.02.
TEST(Starlight, EqualsTheTableAtItsEntriesAndBeyondItsEnds) {
    for (const double age : {std::pow(10.0, 1.1), 100.0}) {
        const BandLight old = starlight(age, 0.02);
        EXPECT_NEAR(std::log10(old.red), -0.651, 1e-6);
        EXPECT_NEAR(std::log10(old.green), -0.760, 1e-6);
        EXPECT_NEAR(std::log10(old.blue), -0.914, 1e-6);
    }
    EXPECT_EQ(starlight(0, 0.02).red, starlight(1e-3, 0.02).red);
    EXPECT_EQ(starlight(1, 0).red, starlight(1, 0.0002).red);
    EXPECT_EQ(starlight(1, 1).red, starlight(1, 0.04).red);
}

/// Interpolation in logarithms: the geometric mean in the middle between two ages, and between two metallicities.
TEST(Starlight, IsInterpolatedInLogarithms) {
    const double a = starlight(std::pow(10.0, 0.1), 0.02).blue, b = starlight(std::pow(10.0, 0.3), 0.02).blue;
    EXPECT_NEAR(starlight(std::pow(10.0, 0.2), 0.02).blue, std::sqrt(a * b), 1e-9);
    const double poor = starlight(1, 0.02).green, rich = starlight(1, 0.04).green;
    EXPECT_NEAR(starlight(1, std::sqrt(0.02 * 0.04)).green, std::sqrt(poor * rich), 1e-9);
}

TEST(Starlight, FadesAndReddensWithAgeAndReddensWithMetals) {
    const auto color = [](const BandLight& light) { return light.red / light.blue; };
    for (const double age : {0.1, 0.5, 2.0, 8.0}) {
        const BandLight now = starlight(age, 0.02), later = starlight(1.5 * age, 0.02);
        EXPECT_GT(now.green, later.green) << age;
        EXPECT_LT(color(now), color(later)) << age;
        EXPECT_GT(color(now), color(starlight(age, 0.004))) << age;
    }
}

/// A_V of a column of 1.87e21 hydrogen atoms per cm² is one magnitude.
TEST(Starlight, OpacityMatchesDustOfTheMilkyWay) {
    const double column = 1.87e21 * 1.36 * 1.6735575e-24;
    EXPECT_NEAR(kOpacity * column * 2.5 / std::log(10), 1, 1e-3);
}

TEST(Cosmology, FactorsFollowTheConventionOfTheFile) {
    const Cosmology gadget = gadget_convention(0.3, 0.7, 0.7, 0.25);
    EXPECT_DOUBLE_EQ(peculiar_factor(gadget, 0), 0.5);
    EXPECT_DOUBLE_EQ(peculiar_factor(gadget, 0.64), 0.8) << "at the time shown";
    EXPECT_DOUBLE_EQ(physical_factor(gadget, 0), 0.25 / 0.7);
    EXPECT_EQ(peculiar_factor({}, 0.5), 0) << "no expanding universe";
    EXPECT_EQ(physical_factor({}, 0.5), 0);
    const Cosmology swift{0.3, 0.7, 0.7, 0.25, 1, 0, 0};
    EXPECT_EQ(peculiar_factor(swift, 0), 1);
    EXPECT_EQ(physical_factor(swift, 0), 0.25);
}

}  // namespace
}  // namespace orrery
