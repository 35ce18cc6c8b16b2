// SPDX-License-Identifier: MIT
#include "core/presets/presets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"

namespace orrery::test {
namespace {

struct Energy {
    double kinetic = 0, potential = 0;
    double total() const { return kinetic + potential; }
    double virial_ratio() const { return -2 * kinetic / potential; }
};

Energy energy(const Scene& scene) {
    Energy sum;
    const Bodies& b = scene.bodies;
    const double softening2 = scene.gravity.softening * scene.gravity.softening;
    for (std::size_t i = 0; i < b.size(); ++i) {
        sum.kinetic += 0.5 * b.position_mass[i].w * dot(b.velocity[i], b.velocity[i]);
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3d d = xyz(b.position_mass[i]) - xyz(b.position_mass[j]);
            sum.potential -= b.position_mass[i].w * b.position_mass[j].w / std::sqrt(dot(d, d) + softening2);
        }
    }
    return sum;
}

TEST(Presets, ArgonClusterSelectsTheTripletEngine) {
    EXPECT_EQ(engine_of_preset("argon-cluster"), "triplet");
    EXPECT_EQ(engine_of_preset("plummer"), "");
    EXPECT_EQ(engine_of_preset("no-such-preset"), "");
}

TEST(Presets, ErrorForUnknownIdListsTheMenu) {
    try {
        make_preset("spiral");
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.blame(), Blame::kUsage);
        EXPECT_THAT(error.what(),
                    testing::AllOf(testing::HasSubstr("'spiral'"), testing::HasSubstr("collision, disc-galaxy"),
                                   testing::HasSubstr("figure-eight")));
    }
    EXPECT_EQ(preset(kDefaultPreset).id, kDefaultPreset);
    EXPECT_THROW(make_preset("plummer", {std::size_t{1} << 40, 1}), Error);
}

TEST(Presets, BodiesBeyondAvailableMemoryAreRefusedBeforeCreation) {
    if (available_memory() == 0 || available_memory() > 112'000'000'000)  // 56 bytes per body
        GTEST_SKIP() << "this machine has enough memory";
    try {
        make_preset("plummer", {2'000'000'000, 1});
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.blame(), Blame::kEnvironment);
        EXPECT_THAT(error.what(), testing::HasSubstr("GB are available"));
    }
}

TEST(Plummer, HasTheStructureOfTheModel) {
    Scene scene = make_preset("plummer", {10000, 3});
    std::vector<double> radius;
    for (const Vec4d& p : scene.bodies.position_mass) radius.push_back(length(xyz(p)));
    std::ranges::sort(radius);
    // M(r) = (1 + a²/r²)^(-3/2), a = 3π/16; the radii below contain half and nine tenths of the truncated mass of 99.9
    // %
    const auto theory = [](double fraction) {
        return 3 * std::numbers::pi / 16 / std::sqrt(std::pow(0.999 * fraction, -2.0 / 3) - 1);
    };
    EXPECT_NEAR(radius[5000], theory(0.5), 0.03 * theory(0.5));
    EXPECT_NEAR(radius[9000], theory(0.9), 0.06 * theory(0.9));
    EXPECT_LT(radius.back(), theory(1) + 0.1);
    scene.gravity.softening = 0;
    EXPECT_NEAR(energy(scene).total(), -0.25, 0.01);
    EXPECT_NEAR(energy(scene).virial_ratio(), 1, 0.04);
}

TEST(ColdSphere, IsUniformAndAtRest) {
    const Scene scene = make_preset("cold-sphere", {10000, 3});
    std::size_t inner = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        EXPECT_EQ(scene.bodies.velocity[i], (Vec3d{0, 0, 0}));
        const double r = length(xyz(scene.bodies.position_mass[i]));
        EXPECT_LT(r, 1.03);  // the centre of mass of a sample is off by 0.01
        inner += r < 0.5;
    }
    EXPECT_NEAR(static_cast<double>(inner) / 10000, 0.125, 0.012);
}

TEST(SolarSystem, PlanetsHaveTheirSemiMajorAxes) {
    const Scene scene = make_preset("solar-system");
    const Bodies& b = scene.bodies;
    // Semi-major axes in AU, osculating elements of the epoch J2000 to 1 %: Standish, JPL
    const std::vector<std::pair<std::string, double>> expected{
        {"Mercury", 0.3871}, {"Venus", 0.7233}, {"Earth", 1.0000}, {"Mars", 1.5237},
        {"Jupiter", 5.203},  {"Saturn", 9.537}, {"Uranus", 19.19}, {"Neptune", 30.07}};
    ASSERT_EQ(b.names.size(), expected.size() + 1);
    EXPECT_EQ(b.names[0], "Sun");
    for (std::size_t i = 1; i < b.size(); ++i) {
        EXPECT_EQ(b.names[i], expected[i - 1].first);
        const double r = length(xyz(b.position_mass[i]) - xyz(b.position_mass[0]));
        const Vec3d v = b.velocity[i] - b.velocity[0];
        const double axis = 1 / (2 / r - dot(v, v) / (b.position_mass[0].w + b.position_mass[i].w));
        EXPECT_NEAR(axis, expected[i - 1].second, 0.02 * expected[i - 1].second) << b.names[i];
    }
    EXPECT_NEAR(scene.days_per_time * 2 * std::numbers::pi, 365.2568983, 1e-6);
}

TEST(FigureEight, HasTheEnergyOfTheChoreographyAndNoSpin) {
    const Scene scene = make_preset("figure-eight");
    EXPECT_EQ(scene.gravity.softening, 0);
    EXPECT_NEAR(energy(scene).total(), -1.287141995631858, 1e-14);  // found together with the initial state
    Vec3d spin{};
    double inertia = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d place = xyz(scene.bodies.position_mass[i]);
        spin = spin + cross(place, scene.bodies.velocity[i]);
        inertia += dot(place, place);
    }
    EXPECT_LT(length(spin), 1e-15);
    EXPECT_NEAR(inertia, 2, 1e-14);
}

/// The two galaxies, distinguished by the order of their creation.
struct Pair {
    Vec3d place[2]{}, velocity[2]{}, spin[2]{};
    double mass[2]{};
};

Pair galaxies(const Bodies& b, std::size_t first) {
    Pair pair;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const std::size_t g = i < first ? 0 : 1;
        const double m = b.position_mass[i].w;
        pair.mass[g] += m;
        pair.place[g] = pair.place[g] + m * xyz(b.position_mass[i]);
        pair.velocity[g] = pair.velocity[g] + m * b.velocity[i];
    }
    for (std::size_t g = 0; g < 2; ++g) {
        pair.place[g] = (1 / pair.mass[g]) * pair.place[g];
        pair.velocity[g] = (1 / pair.mass[g]) * pair.velocity[g];
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
        const std::size_t g = i < first ? 0 : 1;
        const Vec3d r = xyz(b.position_mass[i]) - pair.place[g], v = b.velocity[i] - pair.velocity[g];
        pair.spin[g] = pair.spin[g] + b.position_mass[i].w * cross(r, v);
    }
    return pair;
}

TEST(Collision, GalaxiesApproachOnAParabola) {
    for (const std::size_t count : {2u, 3u, 2000u}) {
        const Scene scene = make_preset("collision", {count, 1});
        const auto first = static_cast<std::size_t>(std::lround(0.55 * static_cast<double>(count)));
        const Pair pair = galaxies(scene.bodies, first);
        EXPECT_NEAR(pair.mass[0], 0.55, 1e-12) << count;
        const Vec3d r = pair.place[1] - pair.place[0], v = pair.velocity[1] - pair.velocity[0];
        EXPECT_LT(dot(r, v), 0) << count;
        EXPECT_NEAR(0.5 * dot(v, v), 1 / length(r), 1e-9) << count;
        if (count < 1000) continue;
        const Vec3d orbit = cross(r, v);
        for (const Vec3d& spin : pair.spin) EXPECT_GT(dot(spin, orbit), 0.4 * length(spin) * length(orbit));
    }
}

TEST(Collision, EachGalaxyIsNearEquilibrium) {
    Scene scene = make_preset("collision", {8000, 1});
    Bodies& b = scene.bodies;
    const Pair pair = galaxies(b, 4400);
    b.position_mass.resize(4400), b.velocity.resize(4400);
    for (Vec3d& v : b.velocity) v = v - pair.velocity[0];
    EXPECT_NEAR(energy(scene).virial_ratio(), 1, 0.1);
}

}  // namespace
}  // namespace orrery::test
