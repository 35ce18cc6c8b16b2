// SPDX-License-Identifier: MIT
// Scaling of the acceptance criterion, with known error laws.
#include "core/engines/acceptance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/random.hpp"

namespace orrery::test {
namespace {

constexpr double kAskedError = 1e-3;
using ErrorLaw = std::function<double(double factor)>;

/// The state after `measurements` measurements of this law.
Acceptance acceptance_after(int measurements, const ErrorLaw& error, Acceptance acceptance = {}) {
    for (int i = 0; i < measurements; ++i) acceptance = adjusted(acceptance, kAskedError, error(acceptance.factor));
    return acceptance;
}

TEST(Acceptance, FindsFactorForAnyPowerWithinSixMeasurements) {
    for (const double power : {0.5, 0.7, 1.0, 1.4, 2.0, 3.0})
        for (const double at_one : {1e-4, 5e-4, 9.3e-4, 2e-3, 5e-3, 2e-2}) {
            const ErrorLaw law = [=](double factor) { return at_one * std::pow(factor, power); };
            const Acceptance found = acceptance_after(6, law);
            EXPECT_TRUE(settled(found, kAskedError)) << power << ' ' << at_one << ": " << found.error;
            EXPECT_EQ(found.limit, AcceptanceLimit::kNone);
            EXPECT_EQ(acceptance_after(1, law, found).factor, found.factor) << "the factor must stay";
        }
}

TEST(Acceptance, FindsFactorDespiteNoiseAndBrokenPowerLaws) {
    Random random{5};
    for (int round = 0; round < 200; ++round) {
        const double small = random.uniform(0.5, 2), large = random.uniform(0.4, 1), bend = random.uniform(0.3, 3),
                     at_bend = kAskedError * std::exp(random.uniform(-1.5, 1.5));
        const ErrorLaw law = [&](double factor) {
            const double of_bend = factor / bend;
            return at_bend * std::pow(of_bend, of_bend < 1 ? small : large) * (1 + 0.06 * random.normal());
        };
        Acceptance found;
        for (int i = 0; i < 10 && !settled(found, kAskedError); ++i) found = acceptance_after(1, law, found);
        ASSERT_TRUE(settled(found, kAskedError)) << round;
    }
}

TEST(Acceptance, KeepsFactorWhileErrorIsInRange) {
    for (const double error : {kLeastErrorKept, kErrorAimedAt, kMostErrorKept})
        EXPECT_EQ(acceptance_after(5, [=](double) { return error * kAskedError; }).factor, 1);
}

TEST(Acceptance, StopsWhenErrorDoesNotRespond) {
    for (const double error : {0.0, 1e-9, 1e-4}) {
        const Acceptance few = acceptance_after(4, [=](double) { return error; });
        EXPECT_EQ(few.limit, AcceptanceLimit::kLoosest) << error;
        EXPECT_LE(few.factor, 1) << error;
        EXPECT_TRUE(settled(few, kAskedError));
        EXPECT_EQ(acceptance_after(
                      20, [=](double) { return error; }, few),
                  few)
            << "no further adjustment";
    }
    const ErrorLaw rounding = [](double factor) { return std::hypot(3.7e-3, 1e-3 * factor); };
    const Acceptance finest = acceptance_after(6, rounding);
    EXPECT_EQ(finest.limit, AcceptanceLimit::kFinest);
    EXPECT_GE(finest.factor, 0.1) << "needlessly small";
    EXPECT_EQ(acceptance_after(20, rounding, finest).factor, finest.factor);
    // More terms mean more rounding: the factor stays where the error was least.
    const ErrorLaw more_terms = [](double factor) { return std::hypot(1e-3 * factor, 4e-3 / std::sqrt(factor)); };
    const Acceptance least = acceptance_after(6, more_terms);
    EXPECT_EQ(least.limit, AcceptanceLimit::kFinest);
    EXPECT_EQ(least.factor, 1);
    EXPECT_EQ(acceptance_after(20, more_terms, least).factor, 1);
}

TEST(Acceptance, ResumesWhenErrorRespondsAgain) {
    const Acceptance few = acceptance_after(4, [](double) { return 1e-5; });
    ASSERT_EQ(few.limit, AcceptanceLimit::kLoosest);
    const Acceptance found = acceptance_after(
        6, [](double factor) { return 4e-3 * factor; }, few);
    EXPECT_TRUE(settled(found, kAskedError));
    EXPECT_EQ(found.limit, AcceptanceLimit::kNone);
    EXPECT_NEAR(4e-3 * found.factor, kErrorAimedAt * kAskedError, 0.2 * kAskedError);
}

TEST(Acceptance, IgnoresNonFiniteErrors) {
    for (const double error : {std::nan(""), HUGE_VAL}) EXPECT_EQ(adjusted({}, kAskedError, error), Acceptance{});
}

TEST(Acceptance, IsNotSettledBeforeAMeasurement) { EXPECT_FALSE(settled({}, kAskedError)); }

}  // namespace
}  // namespace orrery::test
