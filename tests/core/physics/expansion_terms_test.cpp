// SPDX-License-Identifier: MIT
// The tables of expansions are computed at compile time. Here the same functions run at run time, and their results are
// compared with sums over bodies and values of polynomials.
#include "core/physics/expansion_terms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery::test {
namespace {

double factorial(int n) { return std::tgamma(n + 1); }

/// x^a y^b z^c / (a! b! c!)
double scaled_power(const Vec3d& x, const MultiIndex& i) {
    return std::pow(x.x, i.a) * std::pow(x.y, i.b) * std::pow(x.z, i.c) /
           (factorial(i.a) * factorial(i.b) * factorial(i.c));
}

struct Moment {
    MultiIndex operator()(int to, int from) const { return moment_index(to) - moment_index(from); }
};
struct Local {
    MultiIndex operator()(int to, int from) const { return multi_index(from) - multi_index(to); }
};

TEST(ExpansionTerms, MomentsTranslateToAnotherCentre) {
    std::mt19937_64 random{3};
    std::normal_distribution<double> normal;
    std::vector<Vec4d> bodies(20);
    Vec3d middle{};
    double mass = 0;
    for (Vec4d& b : bodies) {
        b = {normal(random), normal(random), normal(random), 1 + std::abs(normal(random))};
        middle = middle + b.w * xyz(b), mass += b.w;
    }
    middle = (1 / mass) * middle;
    const Vec3d to{0.3, -0.2, 0.7};
    for (int order = 1; order <= kMostOrder; ++order) {
        const int count = moments_of(order);
        const auto moment = [&](const MultiIndex& i, const Vec3d& about) {
            double sum = 0;
            for (const Vec4d& b : bodies) sum += b.w * scaled_power(xyz(b) - about, i);
            return sum;
        };
        std::vector<double> moved(static_cast<std::size_t>(count)), sizes(moved.size());
        for_products<Moment>(count, [&](const TermProduct& p) {
            const double term = moment(moment_index(p.from), middle) * scaled_power(to - middle, multi_index(p.power));
            moved[static_cast<std::size_t>(p.to)] += p.minus ? -term : term;
            sizes[static_cast<std::size_t>(p.to)] += std::abs(term);
        });
        for (int i = 0; i < count; ++i)
            EXPECT_NEAR(moved[static_cast<std::size_t>(i)], moment(moment_index(i), to),
                        1e-13 * sizes[static_cast<std::size_t>(i)])
                << "order " << order << ", moment " << i;
        EXPECT_LT(moment_index(count - 1).degree(), order);
        if (order > 2) {
            EXPECT_GE(moment_index(count).degree(), order) << "the first moment beyond the order";
            EXPECT_EQ(moment_index(1).degree(), 2) << "no dipole";
        }
    }
}

TEST(ExpansionTerms, PolynomialsTranslateToAnotherCentre) {
    const int count = terms_up_to(kMostOrder);
    const Vec3d by{0.4, -0.3, 0.2}, at{-0.1, 0.5, 0.3};
    std::vector<double> moved(static_cast<std::size_t>(count));
    const auto coefficient = [](int i) { return 1.0 + i % 7 - i % 3; };
    for_products<Local>(count, [&](const TermProduct& p) {
        moved[static_cast<std::size_t>(p.to)] += coefficient(p.from) * scaled_power(by, multi_index(p.power));
    });
    double there = 0, here = 0;
    for (int i = 0; i < count; ++i) {
        there += moved[static_cast<std::size_t>(i)] * scaled_power(at, multi_index(i));
        here += coefficient(i) * scaled_power(at + by, multi_index(i));
    }
    EXPECT_NEAR(there, here, 1e-13 * std::abs(here));
}

/// Compile-time and run-time results are equal.
TEST(ExpansionTerms, TablesMatchRunTimeResults) {
    std::size_t count = 0;
    for_products<Moment>(moments_of(5), [&](const TermProduct& p) {
        ASSERT_LT(count, kMomentShifts<5>.size());
        const TermProduct& q = kMomentShifts<5>[count++];
        ASSERT_TRUE(p.to == q.to && p.from == q.from && p.power == q.power && p.minus == q.minus) << count;
    });
    EXPECT_EQ(count, kMomentShifts<5>.size());
    EXPECT_EQ(count, count_products<Moment>(moments_of(5)));
    EXPECT_EQ(count_products<Local>(terms_up_to(3)), kLocalMoves<3>.size());
}

TEST(ExpansionTerms, LowestAxisHasTheSmallestExponent) {
    for (int number = 1; number < terms_up_to(kMostOrder); ++number) {
        const MultiIndex i = multi_index(number);
        const int lowest = lowest_axis(i);
        ASSERT_TRUE(lowest >= 0 && lowest < 3) << number;
        EXPECT_GT(i.of(lowest), 0);
        for (int axis = 0; axis < 3; ++axis) {
            const bool later = i.of(lowest) < i.of(axis) || (i.of(lowest) == i.of(axis) && lowest <= axis);
            EXPECT_TRUE(i.of(axis) == 0 || later) << number;
        }
    }
    EXPECT_EQ(lowest_axis(multi_index(0)), -1);
}

/// (−1)^k (2k − 1)!! is r^(2k + 1) times the k-th derivative of 1/r with respect to r²/2.
TEST(ExpansionTerms, OddFactorialsMatchKnownValues) {
    std::array<double, 7> found{};
    for (std::size_t k = 0; k < found.size(); ++k) found[k] = odd_factorial(static_cast<int>(k));
    EXPECT_EQ(found, (std::array<double, 7>{1, -1, 3, -15, 105, -945, 10395}));
}

TEST(ExpansionTerms, EachOrderDispatchesToItsTemplate) {
    for (int order = 1; order <= kMostOrder; ++order)
        EXPECT_EQ(with_order(order, []<int P>() { return P; }), order == 7 ? kMostOrder : order);
}

}  // namespace
}  // namespace orrery::test
