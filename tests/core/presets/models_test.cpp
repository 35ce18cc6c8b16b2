// SPDX-License-Identifier: MIT
// Known properties of the models: mass profiles, virial ratios, moments, distribution functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "core/analysis/diagnostics.hpp"
#include "core/presets/isotropic.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {
namespace {

double fraction_within(const Bodies& bodies, double r) {
    const auto inside = std::ranges::count_if(bodies.position_mass, [&](const Vec4d& p) { return length(xyz(p)) < r; });
    return static_cast<double>(inside) / static_cast<double>(bodies.size());
}

double virial_ratio(const Scene& scene) {
    return diagnose(scene.bodies, scene.gravity, {.precision = Precision::kDouble}).virial_ratio();
}

class Spheres : public testing::TestWithParam<std::string> {};

TEST_P(Spheres, AreInVirialEquilibriumAndIsotropic) {
    Scene scene = make_preset(GetParam(), {10000, 3});
    scene.gravity.softening = 0;
    EXPECT_NEAR(virial_ratio(scene), 1, 0.03);
    Vec3d squares{};
    double radial = 0, all = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Vec3d v = scene.bodies.velocity[i], x = xyz(scene.bodies.position_mass[i]);
        squares = squares + Vec3d{v.x * v.x, v.y * v.y, v.z * v.z};
        radial += dot(v, x) * dot(v, x) / dot(x, x), all += dot(v, v);
    }
    EXPECT_NEAR(squares.x / all, 1.0 / 3, 0.015);
    EXPECT_NEAR(squares.y / all, 1.0 / 3, 0.015);
    EXPECT_NEAR(radial / all, 1.0 / 3, 0.015);
}

INSTANTIATE_TEST_SUITE_P(Presets, Spheres,
                         testing::Values("plummer", "hernquist", "king", "nfw-halo", "uniform-sphere"),
                         [](const auto& line) {
                             std::string name = line.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(IsotropicSphere, FindsHernquistsDistributionFunction) {
    const IsotropicSphere sphere{[](double r) { return 1 / (r * std::pow(1 + r, 3)); }, 1e-4, 1e5};
    EXPECT_NEAR(sphere.mass_within(1), 0.25, 1e-4);
    EXPECT_NEAR(sphere.potential(1), 0.5, 1e-4);
    // Hernquist 1990, eq. 17, with G = M = a = 1
    for (const double energy : {0.03, 0.1, 0.3, 0.6, 0.8}) {
        const double q2 = energy, q = std::sqrt(q2), rest = 1 - q2;
        const double bracket = 3 * std::asin(q) + q * std::sqrt(rest) * (1 - 2 * q2) * (8 * q2 * q2 - 8 * q2 - 3);
        const double f = bracket / (8 * std::numbers::sqrt2 * std::pow(std::numbers::pi, 3) * std::pow(rest, 2.5));
        EXPECT_NEAR(sphere.distribution(energy) / f, 1, 0.02) << energy;
    }
    EXPECT_EQ(sphere.distribution(-0.1), 0);
}

TEST(Hernquist, HasAnalyticMassProfile) {
    const Bodies bodies = make_preset("hernquist", {20000, 5}).bodies;
    const auto theory = [](double r) { return r * r / ((1 + r) * (1 + r)); };
    const double all = fraction_within(bodies, 20) / theory(20);  // the truncation is far out
    for (const double r : {0.3, 1.0, 3.0, 10.0}) EXPECT_NEAR(fraction_within(bodies, r), all * theory(r), 0.01) << r;
}

TEST(King, EndsAtTheTidalRadius) {
    const Bodies bodies = make_preset("king", {20000, 5}).bodies;
    double last = 0;
    for (const Vec4d& p : bodies.position_mass) last = std::max(last, length(xyz(p)));
    // King 1966: W0 = 6 has log10(r_t / r_0) = 1.255; r_0 = 0.3 here.
    EXPECT_LT(last, 0.3 * 18.1);
    EXPECT_GT(last, 0.3 * 15);
}

TEST(NfwHalo, HasAnalyticMassProfileWithinTheVirialRadius) {
    const Bodies bodies = make_preset("nfw-halo", {20000, 5}).bodies;
    const auto mass = [](double r) { return std::log(1 + r) - r / (1 + r); };
    const double two = fraction_within(bodies, 2);
    for (const double r : {0.5, 1.0}) EXPECT_NEAR(fraction_within(bodies, r) / two, mass(r) / mass(2), 0.02) << r;
    EXPECT_GT(fraction_within(bodies, 15), 0.97);
}

/// 2K / |Σ m x·a|: 1 in equilibrium, also with a softened force.
double clausius_ratio(const Scene& scene) {
    const auto found = accelerations({.precision = Precision::kDouble}, scene.bodies, scene.gravity);
    double twice_kinetic = 0, virial = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const Vec4d& p = scene.bodies.position_mass[i];
        twice_kinetic += p.w * dot(scene.bodies.velocity[i], scene.bodies.velocity[i]);
        virial += p.w * dot(xyz(p), xyz(found[i]));
    }
    return twice_kinetic / -virial;
}

TEST(DiscGalaxy, KeepsItsProfileOverSeveralRotations) {
    constexpr std::size_t kDisc = 4440;  // of 6000: the first 74 %
    Scene scene = make_preset("disc-galaxy", {6000, 1});
    const auto quartiles = [](const Bodies& bodies) {
        std::vector<double> radii;
        for (std::size_t i = 0; i < kDisc; ++i)
            radii.push_back(std::hypot(bodies.position_mass[i].x, bodies.position_mass[i].y));
        std::ranges::sort(radii);
        return std::array{radii[kDisc / 4], radii[kDisc / 2], radii[kDisc * 3 / 4]};
    };
    const auto before = quartiles(scene.bodies);
    Simulation simulation{scene, {.engine = "tree", .tree = {.accuracy = 3e-3}}};
    while (simulation.now().time < 1.2) simulation.step();  // a star at one scale length completes two orbits
    scene.bodies = simulation.system().bodies();
    EXPECT_NEAR(clausius_ratio(scene), 1, 0.03);
    const auto after = quartiles(scene.bodies);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(after[i] / before[i], 1, 0.06) << i;
}

TEST(DiscGalaxy, IsInEquilibriumAndThin) {
    const Scene scene = make_preset("disc-galaxy", {8000, 1});  // its orbits take the softened force into account
    EXPECT_NEAR(clausius_ratio(scene), 1, 0.02);
    std::vector<double> heights;
    for (const Vec4d& p : scene.bodies.position_mass) heights.push_back(std::abs(p.z));
    std::ranges::nth_element(heights, heights.begin() + 4000);
    EXPECT_LT(heights[4000], 0.02) << "most bodies are in the disc, of scale length 0.12";
}

TEST(Saturn, RingsOrbitWithADivision) {
    const Bodies bodies = make_preset("saturn", {20000, 1}).bodies;
    EXPECT_GT(bodies.position_mass[0].w, 0.99);
    int in_division = 0;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        const double r = length(xyz(bodies.position_mass[i]));
        EXPECT_TRUE(r > 1.23 && r < 2.28) << r;
        in_division += r > 1.96 && r < 2.02;
        EXPECT_NEAR(length(bodies.velocity[i]) * std::sqrt(r), 1, 0.02);
    }
    EXPECT_EQ(in_division, 0);
}

TEST(ZeldovichSphere, ExpandsWithHubbleFlowAndPeculiarVelocities) {
    const Bodies bodies = make_preset("zeldovich", {20000, 2}).bodies;
    EXPECT_NEAR(fraction_within(bodies, 0.5), 0.125, 0.05);
    EXPECT_LT(fraction_within(bodies, 0.8), 0.7);
    double flow = 0, size = 0, off = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec3d x = xyz(bodies.position_mass[i]), v = bodies.velocity[i];
        flow += dot(x, v), size += dot(x, x);
        const Vec3d peculiar = v - std::numbers::sqrt2 * x;
        off += dot(peculiar, peculiar);
    }
    EXPECT_NEAR(flow / size, std::numbers::sqrt2, 0.25);
    EXPECT_GT(off / size, 1e-4);
}

TEST(MilkyWayAndromeda, ApproachWithTheObservedOrbit) {
    const Scene scene = make_preset("milky-way-andromeda", {5000, 1});
    EXPECT_NEAR(3.0857e16 / (scene.days_per_time * 86400), 3279.1, 1) << "kpc per unit of time in km/s";
    Vec3d place[2]{}, velocity[2]{};
    double mass[2]{};
    for (std::size_t i = 0; i < 5000; ++i) {
        const int g = i < 2000 ? 0 : 1;
        const double m = scene.bodies.position_mass[i].w;
        mass[g] += m, place[g] = place[g] + m * xyz(scene.bodies.position_mass[i]);
        velocity[g] = velocity[g] + m * scene.bodies.velocity[i];
    }
    EXPECT_NEAR(mass[0] / mass[1], 2.0 / 3, 1e-9);
    const Vec3d r = (1 / mass[0]) * place[0] - (1 / mass[1]) * place[1];
    const Vec3d v = 3279.1 * ((1 / mass[0]) * velocity[0] - (1 / mass[1]) * velocity[1]);  // km/s
    EXPECT_NEAR(length(r), 150, 1e-6);
    const double unit2 = 3279.1 * 3279.1;
    EXPECT_NEAR(dot(v, v) / 2 - unit2 / 150, (109.3 * 109.3 + 17 * 17) / 2 - unit2 / 770, 1e-3 * unit2 / 770);
    EXPECT_NEAR(length(cross(r, v)), 770 * 17, 1);
}

}  // namespace
}  // namespace orrery::test
