// SPDX-License-Identifier: MIT
// Expansions of the fast multipole method, in double with one SIMD lane, against closed forms and plain sums.
#include "core/engines/cpu/fmm/expansions-inl.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/base/vec.hpp"
#include "core/physics/gravity.hpp"

namespace orrery::test {
namespace {

namespace simd = HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 1>;
template <int P>
using Terms = typename simd::Expansions<P, D>::Terms;
template <int P>
using Moments = typename simd::Expansions<P, D>::Moments;

auto lane(double x) { return hn::Set(D(), x); }
template <class V>
double number(V v) {
    return hn::GetLane(v);
}
double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

template <int P>
Terms<P> powers(Vec3d at) {
    return simd::Expansions<P, D>::powers(D(), lane(at.x), lane(at.y), lane(at.z));
}
template <int P>
Terms<P> derivatives(Vec3d at, double softening) {
    return simd::Expansions<P, D>::derivatives(D(), lane(at.x), lane(at.y), lane(at.z),
                                               lane(1 / std::sqrt(dot(at, at) + softening * softening)));
}

/// Bodies around `middle`, with their centre of mass exactly there.
std::vector<Vec4d> cloud(Vec3d middle, double size, unsigned seed) {
    std::mt19937_64 random{seed};
    std::uniform_real_distribution<double> at{-0.57, 0.57}, mass{0.5, 1.5};
    std::vector<Vec4d> bodies;
    Vec3d first{};
    double total = 0;
    for (int i = 0; i < 40; ++i) {
        bodies.push_back({size * at(random), size * at(random), size * at(random), mass(random) / 40});
        first = first + bodies.back().w * xyz(bodies.back()), total += bodies.back().w;
    }
    for (Vec4d& body : bodies) {
        const Vec3d moved = xyz(body) - (1 / total) * first + middle;
        body = {moved.x, moved.y, moved.z, body.w};
    }
    return bodies;
}

template <int P>
Moments<P> moments(const std::vector<Vec4d>& bodies, Vec3d about) {
    Moments<P> sum;
    for (auto& each : sum.at) each = lane(0);
    for (const Vec4d& body : bodies) simd::Expansions<P, D>::add_body(sum, lane(body.w), powers<P>(xyz(body) - about));
    return sum;
}

/// Moments or local terms in the memory layout of a family of cells.
template <int kCount>
struct Spread {
    alignas(64) double at[kCount * kFamily] = {};
};

template <int P>
struct Locals {
    Terms<P> a, b;  ///< local expansions
};
/// Interaction of two clouds about their centres.
template <int P>
Locals<P> interact(const std::vector<Vec4d>& a, Vec3d at_a, const std::vector<Vec4d>& b, Vec3d at_b, double softening) {
    using E = simd::Expansions<P, D>;
    const auto spread = [](const Moments<P>& from) {
        Spread<E::kMoments> to;
        for (int k = 0; k < E::kMoments; ++k) to.at[k * static_cast<int>(kFamily)] = number(from.at[k]);
        return to;
    };
    const auto of_a = spread(moments<P>(a, at_a)), of_b = spread(moments<P>(b, at_b));
    Moments<P> odd;
    E::load_odd(D(), of_a.at, odd);
    Locals<P> pair;
    for (auto& each : pair.a.at) each = lane(0);
    Spread<E::kTerms> locals;
    const typename E::Others others{derivatives<P>(at_a - at_b, softening), of_b.at, locals.at};
    E::interact(D(), odd, pair.a, &others, 1, true);
    for (int k = 0; k < E::kTerms; ++k) pair.b.at[k] = lane(locals.at[k * static_cast<int>(kFamily)]);
    return pair;
}

/// The field at `off` from the centre of the expansion; w is Σ m/√(r² + ε²).
template <int P>
Vec4d field(const Terms<P>& locals, Vec3d off) {
    const auto f = simd::Expansions<P, D>::field(D(), locals, powers<P>(off));
    return {number(f.x), number(f.y), number(f.z), number(f.potential)};
}
Vec4d field(const std::vector<Vec4d>& bodies, Vec3d at, double softening) {
    Vec4d sum{};
    for (const Vec4d& body : bodies) add_acceleration(sum, at, body, softening * softening);
    return sum;
}

/// Calls each<P>() for every order.
template <class Each>
void for_orders(const Each& each) {
    [&]<int... P>(std::integer_sequence<int, P...>) { (each.template operator()<P>(), ...); }
    (std::integer_sequence<int, 1, 2, 3, 4, 5, 6, kMostOrder>{});
}

TEST(FmmExpansions, PowersAreDividedByFactorials) {
    const Vec3d at{0.3, -1.7, 2.2};
    const auto found = powers<6>(at);
    for (int k = 0; k < terms_up_to(6); ++k) {
        const MultiIndex i = multi_index(k);
        const double wanted = std::pow(at.x, i.a) * std::pow(at.y, i.b) * std::pow(at.z, i.c) /
                              (factorial(i.a) * factorial(i.b) * factorial(i.c));
        EXPECT_NEAR(number(found.at[k]), wanted, 1e-13 * std::abs(wanted)) << k;
    }
}

TEST(FmmExpansions, DerivativesMatchClosedForm) {
    const Vec3d x{0.8, -0.5, 1.1};
    for (const double softening : {0.0, 0.7}) {
        const double r2 = dot(x, x) + softening * softening, r = std::sqrt(r2);
        const auto d = derivatives<3>(x, softening);
        const auto of = [&](int a, int b, int c) { return number(d.at[MultiIndex{a, b, c}.number()]); };
        EXPECT_NEAR(of(0, 0, 0), 1 / r, 1e-15);
        EXPECT_NEAR(of(0, 1, 0), -x.y / (r * r2), 1e-15);
        EXPECT_NEAR(of(1, 0, 1), 3 * x.x * x.z / (r * r2 * r2), 1e-14);
        EXPECT_NEAR(of(2, 0, 0), 3 * x.x * x.x / (r * r2 * r2) - 1 / (r * r2), 1e-14);
        EXPECT_NEAR(of(1, 1, 1), -15 * x.x * x.y * x.z / (r * r2 * r2 * r2), 1e-14);
        // 1/√(r² + ε²) is harmonic only without softening.
        EXPECT_NEAR(of(2, 0, 0) + of(0, 2, 0) + of(0, 0, 2), -3 * softening * softening / (r * r2 * r2), 1e-14);
    }
}

/// Each derivative matches finite differences of one of lower degree.
TEST(FmmExpansions, DerivativesMatchFiniteDifferences) {
    const Vec3d x{0.9, 0.4, -0.6};
    const double h = 1e-5;
    const auto d = derivatives<kMostOrder>(x, 0.3);
    const Vec3d steps[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
    for (int axis = 0; axis < 3; ++axis) {
        const auto up = derivatives<kMostOrder>(x + steps[axis], 0.3),
                   down = derivatives<kMostOrder>(x - steps[axis], 0.3);
        for (int k = 0; k < terms_up_to(kMostOrder - 1); ++k) {
            const double slope = (number(up.at[k]) - number(down.at[k])) / (2 * h);
            const double found = number(d.at[multi_index(k).raised(axis).number()]);
            EXPECT_NEAR(found, slope, 1e-6 * (1 + std::abs(slope))) << k << ' ' << axis;
        }
    }
}

TEST(FmmExpansions, VanishForZeroInverseDistance) {
    const auto d = simd::Expansions<5, D>::derivatives(D(), lane(0), lane(0), lane(0), lane(0));
    for (const auto& each : d.at) EXPECT_EQ(number(each), 0);
}

/// The moments of a whole equal those of its parts, translated to its centre of mass.
TEST(FmmExpansions, MomentTranslationIsExact) {
    for_orders([]<int P>() {
        auto all = cloud({1, 0, 0}, 1, 1);
        const auto more = cloud({-1, 0.5, 2}, 1.5, 2);
        const Moments<P> parts[2] = {moments<P>(all, {1, 0, 0}), moments<P>(more, {-1, 0.5, 2})};
        all.insert(all.end(), more.begin(), more.end());
        Vec3d centre{};
        double mass = 0;
        for (const Vec4d& body : all) centre = centre + body.w * xyz(body), mass += body.w;
        centre = (1 / mass) * centre;
        const auto wanted = moments<P>(all, centre);
        Moments<P> found;
        for (auto& each : found.at) each = lane(0);
        simd::Expansions<P, D>::add_shifted(found, parts[0], powers<P>(Vec3d{1, 0, 0} - centre));
        simd::Expansions<P, D>::add_shifted(found, parts[1], powers<P>(Vec3d{-1, 0.5, 2} - centre));
        for (int k = 0; k < moments_of(P); ++k)
            EXPECT_NEAR(number(found.at[k]), number(wanted.at[k]), 1e-13) << "order " << P << ", " << k;
    });
}

/// At twice the distance the error of the acceleration at a centre falls by 2^(P + 2): M_P is the first missing term.
TEST(FmmExpansions, MultipoleErrorScalesWithOrder) {
    for_orders([]<int P>() {
        if (P < 3) return;  // the dipole vanishes
        for (const double softening : {0.0, 0.5}) {
            const auto source = cloud({0, 0, 0}, 1, 3), target = cloud({0, 0, 0}, 0, 4);
            double last = 0;
            for (const double distance : {8.0, 16.0}) {
                const Vec3d at = distance * Vec3d{0.48, 0.6, -0.64};
                const auto pair = interact<P>(target, at, source, {0, 0, 0}, softening);
                const double error = length(xyz(field<P>(pair.a, {0, 0, 0})) - xyz(field(source, at, softening)));
                if (last > 0) {
                    EXPECT_NEAR(std::log2(last / error), P + 2, 0.4) << "softening " << softening;
                }
                last = error;
            }
        }
    });
}

/// At half the distance from its centre the error of a local expansion's acceleration falls by 2^P.
TEST(FmmExpansions, LocalErrorScalesWithOrder) {
    for_orders([]<int P>() {
        const std::vector<Vec4d> source{{0, 0, 0, 1}};
        const Vec3d at{2, -1, 1.5};
        const auto pair = interact<P>({{at.x, at.y, at.z, 1}}, at, source, {0, 0, 0}, 0.2);
        double last = 0;
        for (const double far : {0.2, 0.1, 0.05}) {
            const Vec3d off = far * Vec3d{0.36, 0.48, 0.8};
            const double error = length(xyz(field<P>(pair.a, off)) - xyz(field(source, at + off, 0.2)));
            if (last > 0) {
                EXPECT_NEAR(std::log2(last / error), P, 0.35) << P << ' ' << far;
            }
            last = error;
        }
    });
}

TEST(FmmExpansions, LocalTranslationIsExact) {
    for_orders([]<int P>() {
        const auto pair = interact<P>(cloud({3, 1, 0}, 1, 5), {3, 1, 0}, cloud({0, 0, 0}, 1, 6), {0, 0, 0}, 0.1);
        const Vec3d to{0.3, -0.2, 0.25}, off{-0.1, 0.4, 0.2};
        Terms<P> moved;
        for (auto& each : moved.at) each = lane(0);
        simd::Expansions<P, D>::add_moved(moved, pair.a, powers<P>(to));
        const Vec4d there = field<P>(moved, off), before = field<P>(pair.a, to + off);
        EXPECT_LE(length(xyz(there) - xyz(before)), 1e-14) << P;
        EXPECT_NEAR(there.w, before.w, 1e-14) << P;
    });
}

TEST(FmmExpansions, AccelerationIsGradientOfPotential) {
    for_orders([]<int P>() {
        const auto pair = interact<P>(cloud({2, 1, 1}, 1, 7), {2, 1, 1}, cloud({0, 0, 0}, 1, 8), {0, 0, 0}, 0.1);
        const Vec3d at{0.2, 0.1, -0.3};
        const double h = 1e-5;
        const auto slope = [&](Vec3d step) {
            return (field<P>(pair.a, at + step).w - field<P>(pair.a, at - step).w) / (2 * h);
        };
        const Vec4d a = field<P>(pair.a, at);
        EXPECT_NEAR(a.x, slope({h, 0, 0}), 1e-9) << P;
        EXPECT_NEAR(a.y, slope({0, h, 0}), 1e-9) << P;
        EXPECT_NEAR(a.z, slope({0, 0, h}), 1e-9) << P;
    });
}

double error_of_bodies(const std::vector<Vec4d>& bodies, const auto& of_expansion, const auto& exact) {
    double off = 0, size = 0;
    for (const Vec4d& body : bodies) {
        const Vec4d wanted = exact(xyz(body));
        const Vec3d difference = xyz(of_expansion(xyz(body))) - xyz(wanted);
        off += dot(difference, difference), size += dot(xyz(wanted), xyz(wanted));
    }
    return std::sqrt(off / size);
}

/// From bodies to moments to local expansion to bodies: every order is better than the one before, up to rounding, by
/// about the ratio of the cells' size to their distance.
TEST(FmmExpansions, ConvergeToTheSumOverBodies) {
    for (const double softening : {0.0, 0.4}) {
        const Vec3d at_a{2.2, 0.8, -0.9}, at_b{};
        const auto a = cloud(at_a, 1, 9), b = cloud(at_b, 1, 10);
        double last = 1;
        for_orders([&]<int P>() {
            const auto pair = interact<P>(a, at_a, b, at_b, softening);
            const double error = error_of_bodies(
                a, [&](Vec3d x) { return field<P>(pair.a, x - at_a); },
                [&](Vec3d x) { return field(b, x, softening); });
            EXPECT_LT(error, 0.6 * last) << "order " << P << ", softening " << softening;
            EXPECT_GT(error, 1e-3 * last) << "order " << P;
            last = error;
        });
        EXPECT_LT(last, 2e-3) << "for cells that nearly touch";
    }
}

/// At any order, the force of a on b is equal and opposite to that of b on a.
TEST(FmmExpansions, ActionEqualsReaction) {
    for_orders([]<int P>() {
        const Vec3d at_a{1.5, 0.8, -0.9}, at_b{};
        const auto a = cloud(at_a, 1, 11), b = cloud(at_b, 1.4, 12);
        const auto pair = interact<P>(a, at_a, b, at_b, 0.1);
        Vec3d total{};
        double size = 0;
        const auto add = [&](const std::vector<Vec4d>& bodies, const Terms<P>& locals, Vec3d centre) {
            for (const Vec4d& body : bodies) {
                const Vec3d force = body.w * xyz(field<P>(locals, xyz(body) - centre));
                total = total + force, size += length(force);
            }
        };
        add(a, pair.a, at_a), add(b, pair.b, at_b);
        EXPECT_LE(length(total), 1e-14 * size) << P;
    });
}

}  // namespace
}  // namespace orrery::test
