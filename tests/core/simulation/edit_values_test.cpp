// SPDX-License-Identifier: MIT
// Results of edits: positions, velocities and masses, and the limits of parameters.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/edit.hpp"

namespace orrery::test {
namespace {

constexpr Gravity kDoubledG{.constant = 2, .softening = 0.02};

void expect_near(const Vec3d& a, const Vec3d& b, double by) { EXPECT_LT(length(a - b), by); }

Bodies two() {
    Bodies bodies;
    bodies.add({1, 2, 3}, {0.5, -1, 2}, 4);
    bodies.add({-5, 0, 1}, {0, 1, 0}, 3);
    return bodies;
}

Bodies after(const Edit& edit, const Bodies& bodies) { return edited(edit, kDoubledG, bodies); }

TEST(EditValues, MoveThrowAndScaleChangeTheirQuantity) {
    const Vec3d by{0.25, -0.5, 8};
    const Bodies moved = after({.kind = EditKind::kMove, .bodies = {1}, .by = by}, two());
    EXPECT_EQ(moved.position_mass[1], (Vec4d{-4.75, -0.5, 9, 3}));
    EXPECT_EQ(moved.velocity, two().velocity);
    const Bodies thrown = after({.kind = EditKind::kThrow, .bodies = {0}, .by = by}, two());
    EXPECT_EQ(thrown.velocity[0], (Vec3d{0.75, -1.5, 10}));
    EXPECT_EQ(thrown.position_mass, two().position_mass);
    const Bodies heavier = after({.kind = EditKind::kScaleMass, .bodies = {0}, .factor = 0.5}, two());
    EXPECT_EQ(heavier.position_mass[0], (Vec4d{1, 2, 3, 2}));
    const Bodies faster = after({.kind = EditKind::kScaleVelocity, .bodies = {0}, .factor = 4}, two());
    EXPECT_EQ(faster.velocity[0], (Vec3d{2, -4, 8}));
    const Bodies stopped = after({.kind = EditKind::kScaleVelocity, .bodies = {0}, .factor = 0}, two());
    EXPECT_EQ(stopped.velocity[0], (Vec3d{})) << "a factor of 0 is allowed";
}

TEST(EditValues, AtLeastOneBodyKeepsAMass) {
    const Bodies one_without = after({.kind = EditKind::kScaleMass, .bodies = {1}, .factor = 0}, two());
    EXPECT_EQ(one_without.position_mass[1].w, 0);
    EXPECT_NO_THROW(after({.kind = EditKind::kScaleMass, .bodies = {0}, .factor = 0}, two()));
    EXPECT_THROW(after({.kind = EditKind::kScaleMass, .bodies = {0}, .factor = 0}, one_without), Error);
    EXPECT_THROW(after({.kind = EditKind::kRemove, .bodies = {0}}, one_without), Error);
    EXPECT_NO_THROW(after({.kind = EditKind::kRemove, .bodies = {1}}, one_without));
}

TEST(EditValues, BrushWeakensWithDistance) {
    Bodies bodies;
    for (const double x : {0.0, 0.5, 1.0, 1.98, 2.02}) bodies.add({1 + x, 2, 3}, {0, 0, 1}, 1);
    Edit edit{
        .kind = EditKind::kAttract, .factor = 3, .add = {.radius = 2, .position = {1, 2, 3}, .normal = {0, 0, 5}}};
    const auto at = [](double x) { return std::pow(1 - x * x / 4, 2) * x / 2; };
    for (const auto& [kind, direction] : {std::pair{EditKind::kAttract, Vec3d{-1, 0, 0}},
                                          {EditKind::kRepel, {1, 0, 0}},
                                          {EditKind::kStir, {0, 1, 0}}}) {
        edit.kind = kind;
        const Bodies brushed = after(edit, bodies);
        for (std::size_t i = 0; i < 4; ++i)
            expect_near(brushed.velocity[i], Vec3d{0, 0, 1} + 3 * at(bodies.position_mass[i].x - 1) * direction, 1e-14);
        EXPECT_EQ(brushed.velocity[4], bodies.velocity[4]) << "beyond the reach of the brush";
        EXPECT_EQ(brushed.position_mass, bodies.position_mass);
    }
    bodies.pinned = {0, 1, 0, 0, 0}, bodies.velocity[1] = {};
    EXPECT_EQ(after(edit, bodies).velocity[1], (Vec3d{})) << "pinned bodies are unaffected";
}

TEST(EditValues, RingOrbitsItsCentralBody) {
    for (const Vec3d normal : {Vec3d{0, 0, 2}, Vec3d{3, 0.1, 0}, Vec3d{1, 1, 1}}) {
        const NewBodies add{
            .count = 8, .mass = 5, .radius = 1.5, .position = {1, -2, 3}, .velocity = {0, 0.5, 0}, .normal = normal};
        const Bodies bodies = after({.kind = EditKind::kAddRing, .add = add}, two());
        ASSERT_EQ(bodies.size(), 11u);
        EXPECT_EQ(bodies.position_mass[2], (Vec4d{1, -2, 3, 5}));
        EXPECT_EQ(bodies.velocity[2], add.velocity);
        const Vec3d axis = (1 / length(normal)) * normal;
        const double speed2 = 2 * 5 * 1.5 * 1.5 / std::pow(1.5 * 1.5 + 0.0004, 1.5);
        for (std::size_t i = 3; i < 11; ++i) {
            const Vec3d out = xyz(bodies.position_mass[i]) - add.position, v = bodies.velocity[i] - add.velocity;
            EXPECT_NEAR(length(out), 1.5, 1e-14);
            EXPECT_NEAR(dot(out, axis), 0, 1e-14);
            EXPECT_NEAR(dot(v, v), speed2, 1e-13);
            EXPECT_NEAR(dot(cross(out, v), axis), length(out) * length(v), 1e-13) << "orbits about the normal";
            EXPECT_EQ(bodies.position_mass[i].w, 0);
            const Vec3d next = xyz(bodies.position_mass[3 + (i - 2) % 8]) - add.position;
            EXPECT_NEAR(length(next - out), 2 * 1.5 * std::sin(std::numbers::pi / 8), 1e-14)
                << "bodies are evenly spaced";
        }
    }
}

TEST(EditValues, DiscIsTheScaledPreset) {
    const NewBodies add{.count = 50, .mass = 3, .radius = 2, .position = {1, 0, 0}, .velocity = {0, 0, 1}, .seed = 4};
    const Bodies bodies = after({.kind = EditKind::kAddDisc, .add = add}, two());
    const Bodies disc = make_preset("disc-galaxy", {.bodies = 50, .seed = 4}).bodies;
    ASSERT_EQ(bodies.size(), 2 + disc.size());
    double mass = 0;
    for (std::size_t i = 0; i < disc.size(); ++i) {
        const Vec3d x = xyz(bodies.position_mass[2 + i]) - add.position, v = bodies.velocity[2 + i] - add.velocity;
        EXPECT_NEAR(length(x), 2 * length(xyz(disc.position_mass[i])), 1e-12);
        EXPECT_NEAR(x.z, 2 * disc.position_mass[i].z, 1e-12);
        EXPECT_NEAR(length(v), std::sqrt(2.0 * 3 / 2) * length(disc.velocity[i]), 1e-12);
        mass += bodies.position_mass[2 + i].w;
    }
    EXPECT_NEAR(mass, 3, 1e-12);
}

/// Around the body with the largest m / r², not the heaviest one nor a coincident one.
TEST(EditValues, CircularOrbitIsAroundTheStrongestAttractor) {
    Bodies bodies;
    bodies.add({100, 0, 0}, {}, 1000);
    bodies.add({1, 0, 0}, {0, 0, 0.25}, 1);
    bodies.add({3, 0, 0}, {0, 1, 0.25}, 0.5);
    bodies.add({3, 0, 0}, {0, 1, 0.25}, 0.5);
    const Bodies circled = after({.kind = EditKind::kCircular, .bodies = {2}}, bodies);
    const double speed = std::sqrt(2 * (1 + 0.5) * 4 / std::pow(4 + 0.0004, 1.5));
    expect_near(circled.velocity[2], {0, speed, 0.25}, 1e-14);
    bodies.velocity[2] = {0, -1, 0.25};
    expect_near(after({.kind = EditKind::kCircular, .bodies = {2}}, bodies).velocity[2], {0, -speed, 0.25}, 1e-14);
    for (const Vec3d velocity : {Vec3d{0, 0, 0.25}, Vec3d{-3, 0, 0.25}}) {
        bodies.velocity[2] = velocity;
        expect_near(after({.kind = EditKind::kCircular, .bodies = {2}}, bodies).velocity[2], {0, speed, 0.25}, 1e-14);
    }
}

TEST(EditValues, CircularOrbitKeepsThePlaneAtAnySpeed) {
    Bodies bodies;
    bodies.add({0, 0, 0}, {}, 8);
    bodies.add({0, 0, 2}, {}, 0);
    bodies.add({500, 0, 0}, {}, 1000);
    const double speed = std::sqrt(2 * 8 * 4 / std::pow(4 + 0.0004, 1.5));
    for (const double fast : {0.5, 3.0, 40.0}) {
        bodies.velocity[1] = {0, fast, fast};
        expect_near(after({.kind = EditKind::kCircular, .bodies = {1}}, bodies).velocity[1], {0, speed, 0}, 1e-12);
    }
}

TEST(EditValues, UnpinningTheLastBodyRemovesTheColumn) {
    Bodies bodies = two();
    bodies = after({.kind = EditKind::kPin, .bodies = {0}}, bodies);
    EXPECT_EQ(bodies.pinned, (std::vector<std::uint8_t>{1, 0}));
    EXPECT_EQ(bodies.velocity[0], (Vec3d{}));
    const Bodies both = after({.kind = EditKind::kPin, .bodies = {1}}, bodies);
    EXPECT_EQ(after({.kind = EditKind::kUnpin, .bodies = {0}}, both).pinned, (std::vector<std::uint8_t>{0, 1}));
    EXPECT_TRUE(after({.kind = EditKind::kUnpin, .bodies = {0}}, bodies).pinned.empty());
}

TEST(EditValues, EveryNumberIsValidated) {
    const double nan = std::nan("");
    for (const Vec3d bad : {Vec3d{nan, 0, 0}, Vec3d{0, nan, 0}, Vec3d{0, 0, nan}}) {
        EXPECT_THROW(after({.kind = EditKind::kMove, .bodies = {0}, .by = bad}, two()), Error);
        EXPECT_THROW(after({.kind = EditKind::kAddBody, .add = {.mass = 1, .position = bad}}, two()), Error);
        EXPECT_THROW(after({.kind = EditKind::kAddBody, .add = {.mass = 1, .velocity = bad}}, two()), Error);
        EXPECT_THROW(after({.kind = EditKind::kAttract, .add = {.position = bad}}, two()), Error);
        for (const EditKind kind : {EditKind::kAddRing, EditKind::kAddDisc, EditKind::kStir})
            EXPECT_THROW(after({.kind = kind, .add = {.count = 3, .mass = 1, .normal = bad}}, two()), Error);
    }
    for (const EditKind kind : {EditKind::kAddRing, EditKind::kAddDisc})
        EXPECT_THROW(after({.kind = kind, .add = {.count = 3, .mass = 1, .normal = {}}}, two()), Error);
    EXPECT_NO_THROW(after({.kind = EditKind::kAddCluster, .add = {.count = 3, .mass = 1, .normal = {}}}, two()))
        << "its normal is ignored";
    EXPECT_NO_THROW(after({.kind = EditKind::kAddBody, .add = {.mass = 0}}, two()));
    EXPECT_NO_THROW(after({.kind = EditKind::kAddRing, .add = {.count = 1u << 20, .mass = 1}}, two()));
    EXPECT_THROW(after({.kind = EditKind::kAddRing, .add = {.count = (1u << 20) + 1, .mass = 1}}, two()), Error);
    EXPECT_THROW(after({.kind = EditKind::kName, .bodies = {0, 1}, .name = "both"}, two()), Error);
    try {
        after({.kind = EditKind::kRemove, .bodies = {2}}, two());
        ADD_FAILURE() << "body 2 does not exist";
    } catch (const Error& error) {
        EXPECT_NE(std::string{error.what()}.find("no body 2; the last is 1"), std::string::npos) << error.what();
    }
}

/// Expects a refusal before anything is changed.
void expect_refused(const Edit& edit, const Bodies& bodies, const std::string& why,
                    const Gravity& gravity = kDoubledG) {
    try {
        change_of(edit, gravity, BodyReader{bodies});
        ADD_FAILURE() << "expected: " << why;
    } catch (const Error& error) {
        EXPECT_NE(std::string{error.what()}.find(why), std::string::npos) << error.what();
    }
}
void expect_allowed(const Edit& edit, const Bodies& bodies, const Gravity& gravity = kDoubledG) {
    EXPECT_NO_THROW(change_of(edit, gravity, BodyReader{bodies}));
}

TEST(EditLimits, FactorsAreNonNegative) {
    const double infinity = HUGE_VAL;
    for (const EditKind kind : {EditKind::kScaleMass, EditKind::kScaleVelocity}) {
        for (const double bad : {-1e-300, infinity, std::nan("")})
            expect_refused({.kind = kind, .bodies = {0}, .factor = bad}, two(), "is not 0 or more");
        expect_allowed({.kind = kind, .bodies = {0}, .factor = 0}, two());
    }
    expect_allowed({.kind = EditKind::kMove, .bodies = {0}, .factor = std::nan("")}, two());
    expect_allowed({.kind = EditKind::kScaleMass, .bodies = {0}, .by = {infinity, 0, 0}, .factor = 1}, two());
}

TEST(EditLimits, NewBodiesNeedMassCountAndSize) {
    for (const double bad : {-1e-300, HUGE_VAL, std::nan("")})
        expect_refused({.kind = EditKind::kAddBody, .add = {.mass = bad}}, two(), "is not 0 or more");
    for (const double bad : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
        const NewBodies add{.count = 3, .mass = 1, .radius = bad};
        for (const EditKind kind : {EditKind::kAddCluster, EditKind::kAddRing, EditKind::kAddDisc, EditKind::kRepel})
            expect_refused({.kind = kind, .add = add}, two(), "is not positive");
        expect_allowed({.kind = EditKind::kAddBody, .add = add}, two());
    }
    expect_refused({.kind = EditKind::kAddRing, .add = {.count = 0, .mass = 1}}, two(), "1 to 1048576");
    expect_allowed({.kind = EditKind::kAddRing, .add = {.count = 1, .mass = 1}}, two());
}

TEST(EditLimits, PlanesNeedANormal) {
    for (const Vec3d bad : {Vec3d{}, Vec3d{HUGE_VAL, 0, 0}})
        for (const EditKind kind : {EditKind::kAddRing, EditKind::kAddDisc, EditKind::kStir, EditKind::kAttract})
            expect_refused({.kind = kind, .add = {.count = 3, .mass = 1, .normal = bad}}, two(), "has no direction");
    expect_allowed({.kind = EditKind::kAddRing, .add = {.count = 3, .mass = 1, .normal = {0, 0, 1e-150}}}, two());
}

TEST(EditLimits, OrbitsRequireGravity) {
    const Edit ring{.kind = EditKind::kAddRing, .add = {.count = 3, .mass = 1}},
        circular{.kind = EditKind::kCircular, .bodies = {0}}, body{.kind = EditKind::kAddBody, .add = {.mass = 1}};
    for (const PairLaw law : {PairLaw::kGravity, PairLaw::kSpline}) {
        const Gravity gravity{.constant = 1, .softening = 0.1, .law = law};
        for (const Edit& edit : {ring, circular, body}) expect_allowed(edit, two(), gravity);
    }
    const Gravity other{.constant = 1, .softening = 0.1, .law = PairLaw::kCoulomb};
    expect_refused(ring, two(), "do not orbit", other);
    expect_refused(circular, two(), "do not orbit", other);
    expect_allowed(body, two(), other);
}

TEST(EditLimits, SelectedBodiesAscend) {
    Bodies bodies = two();
    bodies.add({9, 9, 9}, {}, 1);
    const auto throwing = [](std::vector<std::uint32_t> which) {
        return Edit{.kind = EditKind::kThrow, .bodies = std::move(which), .by = {1, 0, 0}};
    };
    expect_allowed(throwing({0, 1, 2}), bodies);
    expect_allowed(throwing({0, 2}), bodies);
    expect_refused(throwing({}), bodies, "no body is picked");
    expect_refused(throwing({0, 3}), bodies, "there is no body 3; the last is 2");
    expect_refused(throwing({0, 2, 1}), bodies, "body indices must ascend, but 1 follows 2");
    expect_refused(throwing({1, 1}), bodies, "body indices must ascend, but 1 follows 1");
}

TEST(EditLimits, SomeBodyKeepsAMass) {
    Bodies bodies = two();
    bodies.add({9, 9, 9}, {}, 1);
    const auto without = [](std::vector<std::uint32_t> which) {
        return Edit{.kind = EditKind::kScaleMass, .bodies = std::move(which), .factor = 0};
    };
    const auto removing = [](std::vector<std::uint32_t> which) {
        return Edit{.kind = EditKind::kRemove, .bodies = std::move(which)};
    };
    for (const auto& edit : {without({0, 1}), without({1, 2}), without({0, 2}), removing({0, 2}), removing({0, 1})})
        expect_allowed(edit, bodies);
    expect_refused(without({0, 1, 2}), bodies, "no body has a mass");
    expect_refused(removing({0, 1, 2}), bodies, "at least one body must remain");
    bodies.position_mass[1].w = 0;
    expect_allowed(without({0}), bodies);
    expect_allowed(without({1}), bodies);
    expect_refused(without({0, 2}), bodies, "no body has a mass");
    expect_refused(removing({0, 2}), bodies, "no body has a mass");
    bodies.position_mass[0].w = bodies.position_mass[2].w = 0;
    expect_allowed(removing({0, 2}), bodies);
    expect_allowed({.kind = EditKind::kMove, .bodies = {0}, .by = {1, 0, 0}}, bodies);
}

TEST(EditLimits, AtMostAMillionBodiesAreDuplicatedAtOnce) {
    Bodies bodies;
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i <= 1u << 20; ++i) bodies.add({static_cast<double>(i), 0, 0}, {}, 1), all.push_back(i);
    expect_refused({.kind = EditKind::kDuplicate, .bodies = all, .by = {0, 1, 0}}, bodies,
                   "duplicate: cannot add 1048577 bodies at once; the maximum is 1048576");
    all.pop_back();
    expect_allowed({.kind = EditKind::kDuplicate, .bodies = all, .by = {0, 1, 0}}, bodies);
}

TEST(EditValues, ClusterIsTheScaledPreset) {
    const NewBodies add{.count = 40, .mass = 3, .radius = 2, .position = {1, 0, 0}, .velocity = {0, 0, 1}, .seed = 4};
    const Bodies bodies = after({.kind = EditKind::kAddCluster, .add = add}, two());
    const Bodies sphere = make_preset("plummer", {.bodies = 40, .seed = 4}).bodies;
    ASSERT_EQ(bodies.size(), 42u);
    for (std::size_t i = 0; i < 40; ++i) {
        const Vec4d body = bodies.position_mass[2 + i], like = sphere.position_mass[i];
        expect_near(xyz(body) - add.position, 2.0 * xyz(like), 1e-12);
        expect_near(bodies.velocity[2 + i] - add.velocity, std::sqrt(2.0 * 3 / 2) * sphere.velocity[i], 1e-12);
        EXPECT_NEAR(body.w, 3 * like.w, 1e-14);
    }
}

/// Duplicates get a value in every optional column, and ids are unique.
TEST(EditValues, NewBodiesHaveTheLabelsOfTheOthers) {
    Bodies bodies = two();
    bodies.ids = {70, 30}, bodies.names = {"a", "b"}, bodies.charge = {1, -1};
    bodies.species = {Species::kGas, Species::kDisk}, bodies.pinned = {0, 1}, bodies.velocity[1] = {};
    const Bodies more = after({.kind = EditKind::kDuplicate, .bodies = {0, 1}, .by = {0, 0, 9}}, bodies);
    EXPECT_EQ(more.ids, (std::vector<std::uint64_t>{70, 30, 71, 72}));
    EXPECT_EQ(more.names, (std::vector<std::string>{"a", "b", "", ""}));
    EXPECT_EQ(more.charge, (std::vector<double>{1, -1, 1, -1}));
    EXPECT_EQ(more.species, (std::vector{Species::kGas, Species::kDisk, Species::kGas, Species::kDisk}));
    EXPECT_EQ(more.pinned, (std::vector<std::uint8_t>{0, 1, 0, 0}));
    const Bodies plain = after({.kind = EditKind::kDuplicate, .bodies = {1}, .by = {0, 0, 9}}, two());
    EXPECT_TRUE(plain.ids.empty() && plain.names.empty() && plain.charge.empty() && plain.species.empty());
}

/// A body that is alone or coincides with another has nothing to orbit.
TEST(EditValues, CircularOrbitNeedsAnAttractor) {
    const Edit circular{.kind = EditKind::kCircular, .bodies = {0}};
    Bodies bodies;
    bodies.add({1, 0, 0}, {}, 1);
    expect_refused(circular, bodies, "no other body has mass");
    bodies.add({2, 0, 0}, {}, 0);
    expect_refused(circular, bodies, "no other body has mass");
    bodies.add({1, 0, 0}, {}, 5);
    expect_refused(circular, bodies, "no other body has mass");
    bodies.add({1, 0, -3}, {}, 1e-9);
    expect_allowed(circular, bodies);
    // Of two equally strong attractors, the first is used.
    bodies.add({1, 0, 3}, {50, 0, 0}, 1e-9);
    bodies.add({1, 3, 0}, {0, 0, 50}, 1e-9);
    bodies.position_mass[3].w = 0;
    EXPECT_GT(after(circular, bodies).velocity[0].x, 40) << "orbits the upper one";
}

}  // namespace
}  // namespace orrery::test
