// SPDX-License-Identifier: MIT
// The pair laws: two bodies against closed forms, forces as gradients, and refused constants.
#include "core/physics/pair_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/error.hpp"
#include "core/physics/law.hpp"

namespace orrery::test {
namespace {

constexpr double kMass = 2, kOtherMass = 3, kCharge = -1.5, kOtherCharge = 0.5;

/// Acts on a body at the origin, from another at distance r along x: force along x, and energy of the pair.
struct Pair {
    double force, energy;
};
Pair pair_at(double r, const Gravity& gravity) {
    const std::array<Vec4d, 2> bodies{Vec4d{0, 0, 0, kMass}, {r, 0, 0, kOtherMass}};
    const std::array charge{kCharge, kOtherCharge};
    const Vec4d a = reference_acceleration(Law::kPairs, bodies.data(), 2, 0, gravity, charge.data());
    return {kMass * a.x, kMass * a.w};
}

/// Constants that each law reads; the tested distances are within and beyond its lengths.
Gravity with_constants(PairLaw law) {
    return {.constant = 1.7,
            .softening = law == PairLaw::kLennardJones ? 0.0 : 0.2,
            .law = law,
            .sigma = 0.8,
            .cut_off = 2.5};
}

class EveryPairLaw : public testing::TestWithParam<PairLawEntry> {
protected:
    const Gravity gravity = with_constants(GetParam().value);
};

TEST_P(EveryPairLaw, IsMinusTheGradientOfItsPotential) {
    for (const double r : {0.1, 0.25, 0.5, 0.7, 0.9, 1.3, 1.9, 3.0}) {
        const double step = 1e-6 * r;
        // A positive force on the first body points towards the other, so it is the slope of the energy over the
        // distance.
        const double slope = (pair_at(r + step, gravity).energy - pair_at(r - step, gravity).energy) / (2 * step);
        EXPECT_NEAR(pair_at(r, gravity).force, slope, 1e-6 * std::max(1e-3, std::abs(slope))) << r;
    }
}

TEST_P(EveryPairLaw, ExertsOppositeForces) {
    for (const double r : {0.3, 0.7, 1.1}) {
        const std::array<Vec4d, 2> bodies{Vec4d{0.1, 0.2, -0.3, kMass}, {0.1 + r, 0.2 - r, 0, kOtherMass}};
        const std::array charge{kCharge, kOtherCharge};
        const auto on = [&](std::size_t i) {
            return reference_acceleration(Law::kPairs, bodies.data(), 2, i, gravity, charge.data());
        };
        const Vec3d one = kMass * xyz(on(0)), other = kOtherMass * xyz(on(1)), sum = one + other;
        EXPECT_GT(std::sqrt(dot(one, one)), 0);
        EXPECT_LE(std::sqrt(dot(sum, sum)), 1e-15 * std::sqrt(dot(one, one)));
        EXPECT_NEAR(kMass * on(0).w, kOtherMass * on(1).w, 1e-14 * std::abs(kMass * on(0).w))
            << "both bodies have the same energy";
    }
}

TEST_P(EveryPairLaw, SkipsCoincidentBodies) {
    if (GetParam().value == PairLaw::kGravity) return;  // its softened potential includes them
    const Pair none = pair_at(0, gravity);
    EXPECT_EQ(none.force, 0);
    EXPECT_EQ(none.energy, 0);
}

TEST_P(EveryPairLaw, IsFoundByItsId) { EXPECT_EQ(pair_law(GetParam().id).value, GetParam().value); }

INSTANTIATE_TEST_SUITE_P(Menu, EveryPairLaw, testing::ValuesIn(pair_laws().begin(), pair_laws().end()),
                         [](const auto& tested) {
                             std::string name{tested.param.id};
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(Spline, IsNewtonianBeyondItsReachAndPlummerAtTheCentre) {
    const Gravity gravity{.constant = 1.5, .softening = 0.2, .law = PairLaw::kSpline};
    for (const double r : {0.56, 0.6, 1.0, 7.0}) {
        EXPECT_DOUBLE_EQ(pair_at(r, gravity).force, 1.5 * kMass * kOtherMass / (r * r)) << r;
        EXPECT_DOUBLE_EQ(pair_at(r, gravity).energy, -1.5 * kMass * kOtherMass / r) << r;
    }
    EXPECT_NEAR(pair_at(1e-9, gravity).energy, -1.5 * kMass * kOtherMass / 0.2, 1e-12);
    EXPECT_NEAR(pair_at(1e-9, gravity).force, 0, 1e-6);
    // The force of the kernel's mass within r, from its density 8/(π h³) (1 − 6 u² + 6 u³), u < 1/2.
    const double h = 0.56, r = 0.2 * h, u = 0.2;
    const double within = 32 * (u * u * u / 3 - 6 * std::pow(u, 5) / 5 + std::pow(u, 6));
    EXPECT_NEAR(pair_at(r, gravity).force, 1.5 * kMass * kOtherMass * within / (r * r), 1e-13 * 1e3);
    // Both pieces are continuous.
    EXPECT_NEAR(pair_at(0.28 - 1e-9, gravity).force, pair_at(0.28 + 1e-9, gravity).force, 1e-6);
    EXPECT_NEAR(pair_at(0.28 - 1e-9, gravity).energy, pair_at(0.28 + 1e-9, gravity).energy, 1e-6);
}

TEST(Spline, IsNewtonianWithoutSoftening) {
    const Gravity gravity{.law = PairLaw::kSpline};
    for (const double r : {1e-3, 1.0}) EXPECT_DOUBLE_EQ(pair_at(r, gravity).force, kMass * kOtherMass / (r * r));
}

TEST(LennardJones, HasItsZeroMinimumAndCutOff) {
    Gravity gravity{.constant = 2, .law = PairLaw::kLennardJones, .sigma = 0.5};
    EXPECT_NEAR(pair_at(0.5, gravity).energy, 0, 1e-13);
    const double rest = 0.5 * std::pow(2, 1.0 / 6);
    EXPECT_NEAR(pair_at(rest, gravity).force, 0, 1e-12);
    EXPECT_NEAR(pair_at(rest, gravity).energy, -2, 1e-13);
    EXPECT_LT(pair_at(0.45, gravity).force, 0) << "repels";
    EXPECT_GT(pair_at(0.8, gravity).force, 0) << "attracts";
    gravity.cut_off = 2.5;
    EXPECT_EQ(pair_at(1.25, gravity).force, 0);
    EXPECT_EQ(pair_at(1.25, gravity).energy, 0);
    EXPECT_NEAR(pair_at(1.25 - 1e-9, gravity).energy, 0, 1e-8) << "shifted: no jump";
    EXPECT_NEAR(pair_at(rest, gravity).energy, -2 + 0.016316891136 * 2, 1e-12);  // 4 (2.5⁻⁶ − 2.5⁻¹²)
}

TEST(Coulomb, RepelsLikeChargesAndBalancesAtSigma) {
    const double product = kCharge * kOtherCharge;
    Gravity gravity{.constant = 2, .law = PairLaw::kCoulomb};
    for (const double r : {0.3, 2.0}) {
        EXPECT_DOUBLE_EQ(pair_at(r, gravity).force, -2 * product / (r * r)) << "unlike charges attract";
        EXPECT_DOUBLE_EQ(pair_at(r, gravity).energy, 2 * product / r);
    }
    gravity.sigma = 0.7;
    EXPECT_NEAR(pair_at(0.7, gravity).force, 0, 1e-13);
    EXPECT_NEAR(pair_at(0.7, gravity).energy, 2 * product / 0.7 * (1 - 1.0 / 9), 1e-13);
    EXPECT_LT(pair_at(0.6, gravity).force, 0) << "repels within";
}

TEST(PairLaws, RefuseInvalidConstants) {
    EXPECT_NO_THROW(validate(Gravity{.softening = 0.1}));
    EXPECT_THROW(validate(Gravity{.softening = -1}), Error);
    EXPECT_THROW(validate(Gravity{.law = PairLaw::kLennardJones}), Error) << "no size";
    EXPECT_THROW(validate(Gravity{.law = PairLaw::kCoulomb, .sigma = -1}), Error);
    EXPECT_THROW(validate(Gravity{.law = PairLaw::kLennardJones, .sigma = 1, .cut_off = NAN}), Error);
    EXPECT_THROW(pair_law("buckingham"), Error);
}

TEST(PairLaws, RequireNonNegativeFiniteLengths) {
    const Gravity right{.softening = 0.1, .law = PairLaw::kLennardJones, .sigma = 1, .cut_off = 2.5};
    EXPECT_NO_THROW(validate(right));
    for (double Gravity::*member : {&Gravity::softening, &Gravity::sigma, &Gravity::cut_off}) {
        for (const double bad : {-1e-300, HUGE_VAL, std::nan("")}) {
            Gravity wrong = right;
            wrong.*member = bad;
            EXPECT_THROW(validate(wrong), Error) << bad;
        }
        Gravity none = right;
        none.*member = 0;
        if (member == &Gravity::sigma) {
            EXPECT_THROW(validate(none), Error) << "atoms need a size";
        } else {
            EXPECT_NO_THROW(validate(none));
        }
    }
}

}  // namespace
}  // namespace orrery::test
