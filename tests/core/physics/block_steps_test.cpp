// SPDX-License-Identifier: MIT
// Hermite's scheme for one body, and the lengths of its steps, against numbers computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/physics/block_steps.hpp"

namespace orrery::test {
namespace {

using Body = HermiteBody<double>;

/// x(t) = Σ c_k t^k and its derivatives.
struct Polynomial {
    double c[6];
    double derivative(int order, double t) const {
        double sum = 0;
        for (int k = 5; k >= order; --k) {
            double factor = c[k];
            for (int i = 0; i < order; ++i) factor *= k - i;
            sum = sum * t + factor;
        }
        return sum;
    }
};
constexpr Polynomial kX{{1, -2, 3, 0.5, 0, 0}}, kY{{-4, 1, 0.25, -2, 0, 0}}, kZ{{0.5, 8, -1, 1, 0, 0}};

Vec4d state_at(int order, double t, const Polynomial& x, const Polynomial& y, const Polynomial& z) {
    return {x.derivative(order, t), y.derivative(order, t), z.derivative(order, t), order == 0 ? 3.0 : 0.0};
}

void expect_close(const Vec4d& a, const Vec4d& b) {
    EXPECT_NEAR(a.x, b.x, 1e-13);
    EXPECT_NEAR(a.y, b.y, 1e-13);
    EXPECT_NEAR(a.z, b.z, 1e-13);
    EXPECT_EQ(a.w, b.w);
}

TEST(HermiteScheme, PredictsMotionOfConstantJerkExactly) {
    const Body body{state_at(0, 0, kX, kY, kZ), state_at(1, 0, kX, kY, kZ), state_at(2, 0, kX, kY, kZ),
                    state_at(3, 0, kX, kY, kZ)};
    const Body there = predicted(body, 0.75);
    expect_close(there.position, state_at(0, 0.75, kX, kY, kZ));
    expect_close(there.velocity, state_at(1, 0.75, kX, kY, kZ));
    EXPECT_EQ(there.acceleration, body.acceleration);
    EXPECT_EQ(there.jerk, body.jerk);
}

/// Cubic accelerations give exact velocities; cubic velocities give exact positions.
TEST(HermiteScheme, CorrectorHasItsOrder) {
    const double h = 0.75;
    const auto step = [&](const Polynomial& x, const Polynomial& y, const Polynomial& z) {
        const Body body{state_at(0, 0, x, y, z), state_at(1, 0, x, y, z), state_at(2, 0, x, y, z),
                        state_at(3, 0, x, y, z)};
        return corrected(body, h, state_at(2, h, x, y, z), state_at(3, h, x, y, z));
    };
    const Polynomial x{{1, -2, 3, 0.5, 2, 0}}, y{{-4, 1, 0.25, -2, -1, 0}}, z{{0.5, 8, -1, 1, 0.5, 0}};
    const Body there = step(x, y, z);
    expect_close(there.position, state_at(0, h, x, y, z));
    expect_close(there.velocity, state_at(1, h, x, y, z));
    expect_close(there.acceleration, state_at(2, h, x, y, z));
    expect_close(there.jerk, state_at(3, h, x, y, z));
    const Polynomial fifth{{1, 2, 3, 4, 5, 6}};
    expect_close(step(x, fifth, z).velocity, state_at(1, h, x, fifth, z));
}

TEST(HermiteScheme, FirstStepIsHalfTheLimitOfAccelerationAndJerk) {
    // √0.04 · 5/2 / 2
    EXPECT_DOUBLE_EQ(first_step(0.04, Vec4d{3, 0, -4, 9}, Vec4d{0, 2, 0, 9}), 0.25);
    EXPECT_DOUBLE_EQ(first_step(0.04, Vec4d{0, -5, 0, 0}, Vec4d{1.2, 0, 1.6, 0}), 0.25);
}

TEST(HermiteScheme, NextStepFollowsAarseth) {
    const double h = 0.5;
    const Polynomial x{{0, 0, 2, 1, 0.5, 0.25}}, y{{0, 0, -1, 2, 1, -0.5}}, z{{0, 0, 3, -1, 0.25, 1}};
    const Body from{{}, {}, state_at(2, 0, x, y, z), state_at(3, 0, x, y, z)},
        to{{}, {}, state_at(2, h, x, y, z), state_at(3, h, x, y, z)};
    const double a = length(to.acceleration), j = length(to.jerk), second = length(state_at(4, h, x, y, z)),
                 third = length(state_at(5, h, x, y, z));
    EXPECT_NEAR(next_step(0.02, h, from, to), std::sqrt(0.02 * (a * second + j * j) / (j * third + second * second)),
                1e-14);
    EXPECT_NEAR(
        next_step(0.02, -h, to, from),
        std::sqrt(0.02 *
                  (length(from.acceleration) * length(state_at(4, 0, x, y, z)) + std::pow(length(from.jerk), 2)) /
                  (length(from.jerk) * length(state_at(5, 0, x, y, z)) + std::pow(length(state_at(4, 0, x, y, z)), 2))),
        1e-14)
        << "backward in time";
}

TEST(HermiteScheme, LevelGivesTheLongestAllowedStep) {
    for (const double dt : {0.75, -0.75}) {
        EXPECT_EQ(level_of(1.0, dt), 0);
        EXPECT_EQ(level_of(0.75, dt), 0);
        EXPECT_EQ(level_of(std::nextafter(0.75, 0), dt), 1);
        EXPECT_EQ(level_of(0.375, dt), 1);
        EXPECT_EQ(level_of(0.3, dt), 2);
        EXPECT_EQ(level_of(0.75 * 0x1p-40, dt), kFinestLevel);
        EXPECT_EQ(level_of(0.75 * 0x1p-39, dt), kFinestLevel - 1);
        EXPECT_EQ(level_of(1e-300, dt), kFinestLevel);
        EXPECT_EQ(level_of(0, dt), kFinestLevel);
        EXPECT_EQ(level_of(std::numeric_limits<double>::quiet_NaN(), dt), 0);
    }
    EXPECT_EQ(ticks_of(0), kWholeInterval);
    EXPECT_EQ(ticks_of(kFinestLevel), 1u);
    EXPECT_EQ(length_of(ticks_of(3), -0.5), -0.0625);
}

TEST(HermiteScheme, StepsShrinkAtOnceAndGrowOneLevelAtATime) {
    EXPECT_EQ(next_level(3, 7, ticks_of(3)), 7);
    EXPECT_EQ(next_level(3, 3, ticks_of(2)), 3);
    EXPECT_EQ(next_level(3, 0, ticks_of(3)), 3) << "not at a multiple of the longer step";
    EXPECT_EQ(next_level(3, 0, ticks_of(2)), 2);
    EXPECT_EQ(next_level(3, 2, 3 * ticks_of(2)), 2);
    EXPECT_EQ(next_level(3, 2, 3 * ticks_of(3)), 3);
    EXPECT_EQ(next_level(1, 0, kWholeInterval), 0);
}

}  // namespace
}  // namespace orrery::test
