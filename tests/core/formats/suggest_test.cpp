// SPDX-License-Identifier: MIT
// Suggested softening and step for files without them, against numbers computed by hand.
#include "core/formats/suggest.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/formats/formats.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

/// A body at rest at (1, 2, 3), and `pairs` pairs of bodies at a distance of 5 on either side, which approach it with
/// `speed`. All have a mass of 1 and drift along x.
Bodies rod(std::size_t pairs, double speed) {
    Bodies bodies;
    bodies.add({1, 2, 3}, {100, 0, 0}, 1);
    for (std::size_t i = 0; i < pairs; ++i) {
        bodies.add({1, 2, 8}, {100, 0, -speed}, 1);
        bodies.add({1, 2, -2}, {100, 0, speed}, 1);
    }
    return bodies;
}

TEST(Suggestion, SofteningDecreasesWithNumberOfBodies) {
    const Bodies bodies = rod(50, 1);
    EXPECT_EQ(median_radius(bodies), 5);
    EXPECT_DOUBLE_EQ(suggested_softening(bodies), 0.98 * std::pow(101, -0.26) * 5);
    Bodies few = rod(49, 1);
    EXPECT_EQ(suggested_softening(few), 0);
    few.add({1, 2, 8}, {}, 1);
    EXPECT_GT(suggested_softening(few), 0) << "a hundred bodies";
}

TEST(Suggestion, NoSofteningAroundABodyOfMoreThanHalfTheMass) {
    Bodies bodies = rod(50, 1);
    bodies.position_mass[0].w = 100;
    EXPECT_GT(suggested_softening(bodies), 0) << "exactly half of the mass";
    bodies.position_mass[0].w = 101;
    EXPECT_EQ(suggested_softening(bodies), 0);
}

/// All other bodies are far away, as are two more.
TEST(Suggestion, RadiusIsMeasuredOnAtMost4096Bodies) {
    Bodies bodies;
    const auto add = [&](std::size_t until) {
        while (bodies.size() < until) {
            const double r = bodies.size() % 2 == 0 && bodies.size() > 2 ? 1 : 1000;
            bodies.add({0, bodies.size() % 4 < 2 ? r : -r, 0}, {}, 1);
        }
    };
    add(4096);
    EXPECT_GT(median_radius(bodies), 900) << "all bodies are sampled";
    add(4097);
    EXPECT_LT(median_radius(bodies), 3) << "every other body is sampled";
    add(8192);
    EXPECT_LT(median_radius(bodies), 3) << "every other body is sampled";
    add(8193);
    EXPECT_GT(median_radius(bodies), 900) << "every third body is sampled";
}

TEST(Suggestion, StepFollowsTheFastestPair) {
    Bodies bodies;
    bodies.add({0, 0, 0}, {0, 0, 0}, 1);
    bodies.add({0, 3, 0}, {0, 0, 0}, 3);
    bodies.add({0, 1e6, 0}, {0, 0, 0}, 4);
    // softened: r = 5, √(r³/G(m₁ + m₂))
    EXPECT_DOUBLE_EQ(suggested_dt(bodies, {2, 4}), 0.03 * std::sqrt(125.0 / 8));
    bodies.velocity[1] = {10, 0, 0};
    EXPECT_DOUBLE_EQ(suggested_dt(bodies, {2, 4}), 0.03 * 0.5) << "r/v";
    bodies.velocity[0] = {4, 0, 0};
    EXPECT_DOUBLE_EQ(suggested_dt(bodies, {2, 4}), 0.03 * 5 / 6);
    bodies.add({0, 0, 0}, {4, 0, 0}, 1);
    EXPECT_DOUBLE_EQ(suggested_dt(bodies, {0.02, 0}), 0.03 * 0.5) << "coincident bodies are ignored";
}

TEST(Suggestion, StepOfManyFollowsCrossingAndDynamicalTime) {
    const double scatter = std::sqrt(1024.0 / 1025);
    Bodies bodies = rod(512, 1);
    EXPECT_DOUBLE_EQ(suggested_dt(bodies, {1e-9, 0.5}), 0.1 * 0.5 / scatter);
    EXPECT_DOUBLE_EQ(suggested_dt(bodies, {1e-9, 0}), 0.1 * 5 / std::cbrt(1025) / scatter);
    EXPECT_DOUBLE_EQ(suggested_dt(bodies, {4, 0.5}), 0.02 * std::sqrt(125.0 / (4 * 1025)));
    bodies = rod(511, 1);
    bodies.add({1, 2, 8}, {100, 0, 3}, 1);
    EXPECT_DOUBLE_EQ(suggested_dt(bodies, {1e-9, 0.5}), 0.03 * 0.5 / 4) << "up to 1024 bodies all pairs are checked";
}

/// The facts about a file that its card displays.
class SnapshotFactsTest : public Scratch {};

TEST_F(SnapshotFactsTest, DistinguishStatedFromSuggestedValues) {
    Scene scene;
    scene.bodies = rod(50, 1);
    scene.bodies.species.assign(101, Species::kGas), scene.bodies.species[1] = Species::kStars;
    scene.gravity.softening = 0.125, scene.dt = 0.25;
    const auto facts = [&](const char* name) {
        const std::filesystem::path file = path(name);
        write_snapshot(scene, file);
        SnapshotFacts found;
        read_snapshot(file, found);
        return found;
    };
    const SnapshotFacts stated = facts("a.csv"), bare = facts("a.tipsy");
    EXPECT_EQ(stated.format, format("csv").label);
    EXPECT_FALSE(stated.suggests());
    EXPECT_EQ(stated.of_species[0], 100u);
    EXPECT_EQ(stated.of_species[4], 1u);
    EXPECT_FALSE(bare.softening_suggested);
    EXPECT_TRUE(bare.dt_suggested) << "TIPSY cannot store it";
}

}  // namespace
}  // namespace orrery::test
