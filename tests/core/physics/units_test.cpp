// SPDX-License-Identifier: MIT
#include "core/physics/units.hpp"

#include <gtest/gtest.h>

namespace orrery::test {
namespace {

constexpr double kYear = 365.25;

TEST(Clock, UsesASuitableUnit) {
    EXPECT_EQ(clock_text(1, 977.8e6 * kYear, 0), "977.8 Myr");
    EXPECT_EQ(clock_text(2, 977.8e6 * kYear, 0), "1.956 Gyr");
    EXPECT_EQ(clock_text(1, 298e3 * kYear, 0), "298 kyr");
    EXPECT_EQ(clock_text(-1.5, kYear, 0), "-1.50 yr");
    EXPECT_EQ(clock_text(1, 58.13, 0), "58.1 d");
    EXPECT_EQ(clock_text(5400, 1 / 86400.0, 0), "1.5 h");
    EXPECT_EQ(clock_text(90, 1 / 86400.0, 0), "1.5 min");
    EXPECT_EQ(clock_text(1e-3, 1 / 86400.0, 0), "0.001 s");
    EXPECT_EQ(clock_text(0, 977.8e6 * kYear, 0), "0 Myr");
    EXPECT_EQ(clock_text(1.23456, 0, 0), "1.235");
    EXPECT_EQ(named_clock_text(1, 58.13, 0), "t = 58.1 d");
}

TEST(Clock, ShowsTheScaleFactorOfACosmologicalSnapshot) {
    EXPECT_EQ(clock_text(0.25, 977.8e9 * kYear, 0.25), "a = 0.25, z = 3");
    EXPECT_EQ(named_clock_text(1, 0, 1), "a = 1, z = 0");
    EXPECT_EQ(named_clock_text(1 - 4e-16, 0, 1 - 4e-16), "a = 1, z = 0") << "codes write their last step like this";
    EXPECT_EQ(clock_text(0.25 + 0.001, 977.8e6 * kYear, 0.25), "a = 0.25 + 977.8 kyr");
    EXPECT_EQ(clock_text(0.25 - 0.001, 977.8e6 * kYear, 0.25), "a = 0.25 − 977.8 kyr");
}

TEST(ScaleFactor, IsRecognisedFromTimeAndRedshift) {
    EXPECT_EQ(scale_factor_of(0.25, 3, true), 0.25);
    EXPECT_EQ(scale_factor_of(0.25, 3.0001, false), 0.25);
    EXPECT_EQ(scale_factor_of(1, 0, true), 1);
    EXPECT_EQ(scale_factor_of(1, 0, false), 0) << "an isolated galaxy after one unit of time";
    EXPECT_EQ(scale_factor_of(0.0133, 3, true), 0) << "SWIFT writes a time that is not the scale factor";
    EXPECT_EQ(redshift_of(0.25, 0.25), 3);
    EXPECT_EQ(redshift_of(0.26, 0.25), 0);
    EXPECT_EQ(redshift_of(1, 0), 0);
}

TEST(UnitOfSpeed, ConvertsToKilometresPerSecond) {
    EXPECT_NEAR(kilometres_per_second("kpc", 3.0857e16 / 86400), 1, 1e-5);
    EXPECT_NEAR(kilometres_per_second("AU", 58.1324408670488), 29.785, 1e-3);
    EXPECT_EQ(kilometres_per_second("", 1), 0);
    EXPECT_EQ(kilometres_per_second("furlong", 1), 0);
    EXPECT_EQ(kilometres_per_second("kpc", 0), 0);
}

}  // namespace
}  // namespace orrery::test
