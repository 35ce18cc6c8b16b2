// SPDX-License-Identifier: MIT
#include "core/physics/kepler.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

TEST(Kepler, RecognisesACircle) {
    const auto orbit = kepler_orbit({2, 0, 0}, {0, 2, 0}, 8);  // v² = μ/r
    ASSERT_TRUE(orbit);
    EXPECT_NEAR(orbit->eccentricity, 0, 1e-15);
    EXPECT_NEAR(orbit->major, 2, 1e-14);
    EXPECT_NEAR(orbit->period, 2 * std::numbers::pi * std::sqrt(8.0 / 8), 1e-13);
    EXPECT_NEAR(orbit->inclination, 0, 1e-15);
    EXPECT_NEAR(length(orbit->at(1) - 2.0 * Vec3d{std::cos(1.0), std::sin(1.0), 0}), 0, 1e-14);
}

/// At periapsis q of an orbit with eccentricity e: v² = μ (1 + e) / q.
TEST(Kepler, RecoversTheGivenElements) {
    constexpr double kMu = 3, kNear = 1.5;
    for (const double e : {0.0, 0.3, 0.9, 1.0, 1.7}) {
        const double tilt = 0.7, speed = std::sqrt(kMu * (1 + e) / kNear);
        const auto orbit = kepler_orbit({kNear, 0, 0}, speed * Vec3d{0, std::cos(tilt), std::sin(tilt)}, kMu);
        ASSERT_TRUE(orbit);
        EXPECT_NEAR(orbit->eccentricity, e, 1e-13);
        EXPECT_NEAR(orbit->nearest(), kNear, 1e-13);
        EXPECT_NEAR(orbit->inclination, tilt, 1e-13);
        EXPECT_EQ(orbit->closed(), orbit->period > 0);
        if (e != 1) {
            EXPECT_NEAR(orbit->major, kNear / (1 - e), 1e-10);
        }
        EXPECT_NEAR(length(orbit->at(0) - Vec3d{kNear, 0, 0}), 0, 1e-12);
    }
}

/// Every point of the orbit has the initial energy and angular momentum.
TEST(Kepler, PassesThroughTheInitialPosition) {
    const Vec3d x{1.1, -0.4, 0.3}, v{0.2, 0.9, -0.35};
    const auto orbit = kepler_orbit(x, v, 1.3);
    ASSERT_TRUE(orbit && orbit->closed());
    double least = 1e9;
    for (double anomaly = 0; anomaly < 2 * std::numbers::pi; anomaly += 1e-3)
        least = std::fmin(least, length(orbit->at(anomaly) - x));
    EXPECT_LT(least, 2e-3);
    EXPECT_NEAR(orbit->major, -1.3 / (dot(v, v) - 2 * 1.3 / length(x)), 1e-12) << "from the energy";
}

TEST(Kepler, HasNoOrbitForRadialMotion) {
    EXPECT_FALSE(kepler_orbit({1, 0, 0}, {3, 0, 0}, 1));
    EXPECT_FALSE(kepler_orbit({1, 0, 0}, {0, 0, 0}, 1));
    EXPECT_FALSE(kepler_orbit({0, 0, 0}, {1, 0, 0}, 1));
    EXPECT_FALSE(kepler_orbit({1, 0, 0}, {0, 1, 0}, 0));
}

TEST(Kepler, ParabolaIsNotClosed) {
    const auto orbit = kepler_orbit({1, 0, 0}, {0, 2, 0}, 2);  // v² = 2 μ/r without rounding
    ASSERT_TRUE(orbit);
    EXPECT_EQ(orbit->eccentricity, 1);
    EXPECT_FALSE(orbit->closed());
    EXPECT_EQ(orbit->period, 0);
}

/// In any units of length, time and mass.
TEST(Kepler, DistinguishesRadialMotionInAnyUnits) {
    for (const double mu : {1e-20, 1.0, 1e20})
        for (const double r : {1e-15, 1.0, 1e15}) {
            // the transverse speed from which on the motion counts as an orbit
            const double least = std::sqrt(1e-24 * mu / r);
            EXPECT_FALSE(kepler_orbit({r, 0, 0}, {0, 0.9 * least, 0}, mu)) << mu << ' ' << r;
            EXPECT_TRUE(kepler_orbit({r, 0, 0}, {0, 1.1 * least, 0}, mu)) << mu << ' ' << r;
        }
    EXPECT_FALSE(kepler_orbit({1, 0, 0}, {0, 1e-12, 0}, -1)) << "the bodies repel each other";
}

}  // namespace
}  // namespace orrery::test
