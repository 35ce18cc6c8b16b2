// SPDX-License-Identifier: MIT
#include "core/analysis/diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/bodies/sampling.hpp"
#include "core/presets/presets.hpp"

namespace orrery::test {
namespace {

// Masses 2 and 6, separated by (3, 4, 0): r² = 25, and with ε² = 144 the root is 13. All numbers below are exact in
// binary, except the potential, -G·2·6/13.
Bodies two_bodies() {
    Bodies bodies;
    bodies.add({1, 0, 2}, {0, 3, 4}, 2);
    bodies.add({4, 4, 2}, {1, -2, 0}, 6);
    return bodies;
}

TEST(Diagnostics, TwoBodiesMatchHandCalculation) {
    const Diagnostics d = diagnose(two_bodies(), {.constant = 0.5, .softening = 12}, Backend::kCpu);
    EXPECT_EQ(d.kinetic, 0.5 * 2 * 25 + 0.5 * 6 * 5);
    EXPECT_NEAR(d.potential, -0.5 * 12 / 13, 1e-15);
    EXPECT_EQ(d.momentum, (Vec3d{6, -6, 8}));
    // 2 · (1,0,2)×(0,3,4) + 6 · (4,4,2)×(1,-2,0) = 2·(-6,-4,3) + 6·(4,2,-12)
    EXPECT_EQ(d.angular_momentum, (Vec3d{12, 4, -66}));
    EXPECT_NEAR(d.momentum_scale, 2 * 5 + 6 * std::sqrt(5.0), 1e-14);
    EXPECT_NEAR(d.total(), 40 - 6.0 / 13, 1e-13);
    EXPECT_NEAR(d.virial_ratio(), 80 / (6.0 / 13), 1e-10);
}

TEST(Diagnostics, OneBodyHasNoPotential) {
    Bodies bodies;
    bodies.add({1, 2, 3}, {0, 0, 2}, 5);
    const Diagnostics d = diagnose(bodies, {}, Backend::kCpu);
    EXPECT_EQ(d.kinetic, 10);
    EXPECT_EQ(d.potential, 0);
    EXPECT_EQ(d.virial_ratio(), 0);
}

// 1 + 1e16 - 1e16 = 1: an ordinary sum loses the 1.
TEST(Diagnostics, MomentumUsesCompensatedSums) {
    Bodies bodies;
    for (const double v : {1.0, 1e16, -1e16}) bodies.add({v, 0, 0}, {v, 0, 0}, 1);
    EXPECT_EQ(diagnose(bodies, {}, Backend::kCpu).momentum.x, 1);
}

// A Plummer sphere has W = -3π G M² / 32 a (Binney & Tremaine 2008, §2.2.2c); in N-body units, where E = -1/4, a =
// 3π/16 and so W = -1/2. A sample of N bodies scatters by about 1/√N, and softening makes W slightly shallower.
TEST(Diagnostics, PlummerSphereHasAnalyticEnergy) {
    Scene scene = make_preset("plummer", {.bodies = 10000, .seed = 3});
    scene.gravity.softening = 0.01;
    const Diagnostics d = diagnose(scene.bodies, scene.gravity, Backend::kCpu);
    const double a = 3 * std::numbers::pi / 16;
    EXPECT_NEAR(d.potential, -3 * std::numbers::pi / (32 * a), 0.02);
    EXPECT_NEAR(d.total(), -0.25, 0.02);
    EXPECT_NEAR(d.virial_ratio(), 1, 0.04);
    EXPECT_LT(std::sqrt(dot(d.momentum, d.momentum)), 1e-10 * d.momentum_scale);
}

TEST(NetForce, IsRelativeToTheSumOfMagnitudes) {
    const std::vector<Vec4d> bodies{{0, 0, 0, 2}, {1, 0, 0, 3}};
    EXPECT_EQ(net_force(bodies, std::vector<Vec4d>{{3, 0, 0, 0}, {-2, 0, 0, 0}}), 0);
    // Forces (6, 0) and (0, 9): a net force of |(6, 9)|, relative to 15.
    EXPECT_DOUBLE_EQ(net_force(bodies, std::vector<Vec4d>{{3, 0, 0, 0}, {0, 3, 0, 0}}), std::sqrt(117.0) / 15);
    EXPECT_EQ(net_force(bodies, std::vector<Vec4d>(2)), 0) << "no forces";
}

TEST(Diagnostics, StopsOnRequest) {
    const Scene scene = make_preset("plummer", {.bodies = 20000});
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(diagnose(scene.bodies, scene.gravity, Backend::kCpu, stop.get_token()).potential, 0);
}

}  // namespace
}  // namespace orrery::test
