// SPDX-License-Identifier: MIT
#include "core/analysis/structure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/presets/presets.hpp"
#include "core/presets/spheres.hpp"

namespace orrery::test {
namespace {

Structure structure(const Bodies& bodies, int threads = 2) {
    Pool pool{threads, false};
    return structure_of(pool, bodies);
}
// M(r) = r³ / (r² + a²)^(3/2) (Plummer 1911), truncated by the preset at 99.9 % of the mass. In a sample of N bodies
// the fraction within a fixed r scatters by √(f(1-f)/N); five times that is allowed.
TEST(Structure, PlummerSphereHasAnalyticLagrangianRadii) {
    for (const std::size_t count : {1000u, 10000u, 200000u}) {
        const Structure s = structure(make_preset("plummer", {.bodies = count, .seed = 5}).bodies);
        for (std::size_t i = 0; i < kMassFractions.size(); ++i) {
            const double r = s.lagrangian_radii[i] / kPlummerScale, f = kMassFractions[i];
            const double inside = std::pow(1 + 1 / (r * r), -1.5) / 0.999;
            const double scatter = std::sqrt(f * (1 - f) / static_cast<double>(count));
            EXPECT_NEAR(inside, f, 5 * scatter + 2 / static_cast<double>(count)) << count << " bodies, " << f;
        }
    }
}

// The mass of each shell against M(r) at its borders, with the scatter of the expected number of bodies.
TEST(Structure, PlummerSphereHasAnalyticDensity) {
    const std::size_t count = 200000;
    const Structure s = structure(make_preset("plummer", {.bodies = count, .seed = 9}).bodies);
    const auto mass_within = [](double r) {
        return r > 0 ? std::pow(1 + std::pow(kPlummerScale / r, 2), -1.5) / 0.999 : 0;
    };
    std::size_t bodies = 0;
    double outer = 0;
    ASSERT_GT(s.profile.size(), 15u);
    for (const DensityShell& shell : s.profile) {
        EXPECT_GE(shell.inner, outer);
        outer = shell.outer;
        bodies += shell.bodies;
        EXPECT_NEAR(std::log2(outer * outer), std::round(std::log2(outer * outer)), 1e-12);
        const double expected = std::min(mass_within(shell.outer), 1.0) - mass_within(shell.inner);
        const double volume = 4 * std::numbers::pi / 3 * (std::pow(shell.outer, 3) - std::pow(shell.inner, 3));
        const double scatter = std::sqrt(expected / static_cast<double>(count));
        EXPECT_NEAR(shell.density * volume, expected, 5 * scatter + 4 / static_cast<double>(count)) << shell.outer;
    }
    EXPECT_EQ(bodies, count);
}

// Pairs of bodies about the origin, at distances 1, 2, … 20, each pair with 5 % of the mass. By hand, the radius that
// holds a fraction of the mass is that of the body that completes it.
TEST(Structure, LagrangianRadiiMatchHandCalculation) {
    Bodies bodies;
    for (int i = 0; i < 20; ++i) {
        bodies.add({i + 1.0, 0, 0}, {}, 0.025);
        bodies.add({-(i + 1.0), 0, 0}, {}, 0.025);
    }
    const Structure s = structure(bodies);
    EXPECT_NEAR(length(s.motion.centre_of_mass), 0, 1e-15);
    EXPECT_NEAR(length(s.centre), 0, 1e-12);
    const std::array<double, kMassFractions.size()> radii{1, 2, 5, 10, 15, 18};
    for (std::size_t i = 0; i < radii.size(); ++i) EXPECT_NEAR(s.lagrangian_radii[i], radii[i], 1e-12) << i;
    EXPECT_EQ(s.closest->distance, 1);
}

TEST(Structure, WeightsRadiiByMass) {
    Bodies bodies;
    bodies.add({0, 0, 0}, {}, 98);
    bodies.add({10, 0, 0}, {}, 1);
    bodies.add({-10, 0, 0}, {}, 1);
    const Structure s = structure(bodies);
    EXPECT_EQ(s.lagrangian_radii[4], 0) << "the heavy body holds more than three quarters";
    EXPECT_EQ(s.closest->distance, 10);
}

TEST(Structure, HandlesZeroBodiesAndOne) {
    const Structure none = structure(Bodies{});
    EXPECT_EQ(none.motion.mass, 0);
    EXPECT_TRUE(none.profile.empty());
    EXPECT_FALSE(none.closest);
    Bodies one;
    one.add({1, 2, 3}, {4, 5, 6}, 7);
    const Structure s = structure(one);
    EXPECT_EQ(s.motion.mass, 7);
    EXPECT_EQ(s.motion.centre_of_mass, (Vec3d{1, 2, 3}));
    EXPECT_EQ(s.motion.momentum, (Vec3d{28, 35, 42}));
    EXPECT_EQ(s.centre, (Vec3d{1, 2, 3}));
    EXPECT_TRUE(s.profile.empty());
    EXPECT_FALSE(s.closest);
    for (const double r : s.lagrangian_radii) EXPECT_EQ(r, 0);
}

TEST(Structure, HandlesAllBodiesCoincident) {
    Bodies bodies;
    for (int i = 0; i < 1000; ++i) bodies.add({1, 1, 1}, {}, 1);
    const Structure s = structure(bodies);
    EXPECT_EQ(s.centre, (Vec3d{1, 1, 1}));
    EXPECT_EQ(s.closest->distance, 0);
    EXPECT_TRUE(s.profile.empty());
    for (const double r : s.lagrangian_radii) EXPECT_EQ(r, 0);
}

// A small dense clump beside a large thin cloud: the density centre is in the clump, the centre of mass is not.
TEST(Structure, CentreIsInTheDensestClump) {
    Bodies bodies = make_preset("plummer", {.bodies = 20000}).bodies;
    for (Vec4d& b : bodies.position_mass) b = {0.05 * b.x + 30, 0.05 * b.y, 0.05 * b.z, b.w};
    for (const Vec4d& b : make_preset("plummer", {.bodies = 20000, .seed = 2}).bodies.position_mass)
        bodies.add({10 * b.x, 10 * b.y, 10 * b.z}, {}, b.w);
    const Structure s = structure(bodies);
    EXPECT_NEAR(s.centre.x, 30, 0.02);
    EXPECT_NEAR(s.motion.centre_of_mass.x, 15, 0.5);
}

void expect_same_shape(const Structure& a, const Structure& b) {
    for (std::size_t i = 0; i < kMassFractions.size(); ++i)
        EXPECT_NEAR(a.lagrangian_radii[i], b.lagrangian_radii[i], 1e-9 * b.lagrangian_radii[i]);
    ASSERT_EQ(a.profile.size(), b.profile.size());
    for (std::size_t i = 0; i < a.profile.size(); ++i) {
        EXPECT_EQ(a.profile[i].outer, b.profile[i].outer);
        EXPECT_NEAR(static_cast<double>(a.profile[i].bodies), static_cast<double>(b.profile[i].bodies), 1);
    }
    EXPECT_EQ(a.closest->first, b.closest->first);
    EXPECT_EQ(a.closest->second, b.closest->second);
    EXPECT_NEAR(a.closest->distance, b.closest->distance, 1e-9 * b.closest->distance);
}

TEST(Structure, IsInvariantUnderTranslationRotationAndBoost) {
    const Bodies bodies = make_preset("plummer", {.bodies = 60000, .seed = 4}).bodies;
    const Structure before = structure(bodies);
    const Vec3d shift{3, -2, 1}, boost{0.5, 0, -1};
    const double c = std::cos(0.7), s = std::sin(0.7);
    Bodies moved = bodies, turned = bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec4d p = bodies.position_mass[i];
        const Vec3d v = bodies.velocity[i];
        moved.position_mass[i] = {p.x + shift.x, p.y + shift.y, p.z + shift.z, p.w};
        moved.velocity[i] = v + boost;
        turned.position_mass[i] = {c * p.x - s * p.y, s * p.x + c * p.y, p.z, p.w};
        turned.velocity[i] = {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
    }
    const Structure after = structure(moved), other = structure(turned);
    expect_same_shape(after, before);
    expect_same_shape(other, before);
    const Motion &m = before.motion, &n = after.motion;
    EXPECT_LT(length(after.centre - before.centre - shift), 1e-9);
    EXPECT_LT(length(n.centre_of_mass - m.centre_of_mass - shift), 1e-12);
    EXPECT_LT(length(n.momentum - m.momentum - m.mass * boost), 1e-12);
    EXPECT_NEAR(n.kinetic, m.kinetic + dot(m.momentum, boost) + 0.5 * m.mass * dot(boost, boost), 1e-12);
    EXPECT_NEAR(other.motion.kinetic, m.kinetic, 1e-12);
    EXPECT_NEAR(other.motion.angular_momentum.z, m.angular_momentum.z, 1e-12);
}

TEST(Structure, IsBitwiseEqualOnAnyNumberOfThreads) {
    const Bodies bodies = make_preset("collision", {.bodies = 70000}).bodies;
    const Structure a = structure(bodies, 1), b = structure(bodies, 3);
    EXPECT_EQ(a.centre, b.centre);
    EXPECT_EQ(a.lagrangian_radii, b.lagrangian_radii);
    EXPECT_EQ(a.motion.kinetic, b.motion.kinetic);
    EXPECT_EQ(a.motion.angular_momentum, b.motion.angular_momentum);
    EXPECT_EQ(a.motion.centre_of_mass, b.motion.centre_of_mass);
    EXPECT_EQ(a.closest->distance, b.closest->distance);
    ASSERT_EQ(a.profile.size(), b.profile.size());
    for (std::size_t i = 0; i < a.profile.size(); ++i) EXPECT_EQ(a.profile[i].density, b.profile[i].density);
}

// If more bodies coincide than the shrinking sphere may drop to, the sphere cannot lose any of them.
TEST(Structure, CentreIsFoundAmongCoincidentBodies) {
    for (const std::size_t count : {60u, 40000u}) {
        for (const Vec3d place : {Vec3d{0, 0, 0}, Vec3d{1, -2, 3}, Vec3d{1e-200, 0, 0}}) {
            Bodies bodies;
            for (std::size_t i = 0; i < count; ++i) {
                const double away = i % 3 == 0 ? 1 + static_cast<double>(i) / static_cast<double>(count) : 0;
                bodies.position_mass.push_back({place.x + away, place.y, place.z, 1});
                bodies.velocity.push_back({});
            }
            Pool pool{2, false};
            const DensityCentre centre = density_centre(pool, bodies.position_mass);
            EXPECT_NEAR(length(centre.place - place), 0, 1e-15) << count << " bodies, x = " << place.x;
            EXPECT_EQ(structure(bodies).lagrangian_radii[3], 0) << count << " bodies, x = " << place.x;
        }
    }
}

}  // namespace
}  // namespace orrery::test
