// SPDX-License-Identifier: MIT
#include "core/formats/limits.hpp"

#include "core/base/standard_streams.hpp"
#include "tests/core/formats/scratch.hpp"

namespace orrery::test {
namespace {

Scene three_at_rest() {
    Scene scene;
    scene.id = "three";
    for (const double x : {1.0, 2.0, 3.0}) scene.bodies.add({x, 0, 0}, {}, x);
    return scene;
}

TEST(Limits, AcceptAtMostTheFormatsNumberOfBodies) {
    const Scene scene = three_at_rest();
    EXPECT_NO_THROW(check_single_precision(BodyStretches{scene.bodies}, "a", "X", 3));
    expect_error([&] { check_single_precision(BodyStretches{scene.bodies}, "a", "X", 2); }, Blame::kUsage,
                 "a: X holds at most 2", "found 3");
}

TEST(Limits, AcceptOnlyFloatRepresentableValues) {
    Scene scene = three_at_rest();
    scene.bodies.position_mass[1] = {1e-60, 0, 0, 0};
    EXPECT_NO_THROW(check_single_precision(BodyStretches{scene.bodies}, "a", "X", 3))
        << "a position of 1e-60 becomes 0";
    scene.bodies.velocity[2].z = 3.5e38;
    expect_error([&] { check_single_precision(BodyStretches{scene.bodies}, "a", "X", 3); }, Blame::kUsage,
                 "body 2: vz 3.5e+38");
    scene.bodies.velocity[2].z = 0;
    scene.bodies.position_mass[1].w = 1e-60;
    expect_error([&] { check_single_precision(BodyStretches{scene.bodies}, "a", "X", 3); }, Blame::kUsage,
                 "body 1: mass 1e-60");
}

TEST(Limits, NoteMasslessBodies) {
    Scene scene = three_at_rest();
    note_massless(scene);
    EXPECT_TRUE(scene.notes.empty());
    scene.bodies.position_mass[0].w = scene.bodies.position_mass[2].w = 0;
    note_massless(scene);
    scene.bodies.species = {Species::kStars, Species::kHalo, Species::kGas};
    note_massless(scene);
    EXPECT_THAT(scene.notes,
                testing::ElementsAre(testing::HasSubstr("three: bodies without mass: 2 of 3"),
                                     testing::HasSubstr("three: bodies without mass: 1 (gas), 1 (stars) of 3")));
}

TEST(Limits, NoteADuplicateId) {
    for (const std::uint64_t large : {0ull, 31ull, 32ull, 100ull, ~0ull - 7}) {
        Scene scene = three_at_rest();
        scene.bodies.ids = {large + 7, large, large + 1};
        note_duplicate_ids(scene);
        EXPECT_TRUE(scene.notes.empty()) << large;
        scene.bodies.ids = {large + 7, large, large + 7};
        note_duplicate_ids(scene);
        EXPECT_THAT(scene.notes,
                    testing::ElementsAre("three: id " + std::to_string(large + 7) + " occurs more than once"));
    }
}

TEST(Limits, SpeciesAreDroppedIfAllAreHalo) {
    Bodies bodies = three_at_rest().bodies;
    bodies.species = {Species::kHalo, Species::kHalo, Species::kHalo};
    simplify_species(bodies);
    EXPECT_TRUE(bodies.species.empty());
    bodies.species = {Species::kHalo, Species::kHalo, Species::kGas};
    simplify_species(bodies);
    EXPECT_EQ(bodies.species.size(), 3u);
}

TEST(FileProgress, IsShownOnlyForLargeFiles) {
    {
        FileProgress small{"reading", kShowProgress / 8 - 1, 8};
        small.add(1);
        EXPECT_LT(Progress::shown(), 0);
    }
    FileProgress large{"reading", kShowProgress / 8, 8};
    EXPECT_LT(Progress::shown(), 0) << "not before the first bytes are read";
    large.add(kShowProgress / 32);
    EXPECT_EQ(Progress::shown(), 0.25);
    large.add(kShowProgress / 32);
    EXPECT_EQ(Progress::shown(), 0.5);
    large.reach(kShowProgress / 32);
    EXPECT_EQ(Progress::shown(), 0.25);
}

}  // namespace
}  // namespace orrery::test
