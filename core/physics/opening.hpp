// SPDX-License-Identifier: MIT
// When a group of bodies may take a cell whole. Free functions of numbers: no memory, no threads.
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// A box by its middle and half its sides.
template <class Real>
struct Box {
    Vec3<Real> middle, half;
};

/// The number in [low, high] that is nearest to x.
template <class Real>
ORRERY_HD constexpr Real nearest(Real x, Real low, Real high) {
    return x < low ? low : x > high ? high : x;
}
/// |x|, which is no operation of its own on a GPU.
template <class Real>
ORRERY_HD constexpr Real magnitude(Real x) {
    if (std::is_constant_evaluated()) return x < 0 ? -x : x;
    return std::fabs(x);
}
/// How far a point is from a box along each axis; 0 within the box's span.
template <class Real>
ORRERY_HD constexpr Vec3<Real> outside(const Box<Real>& box, Vec3<Real> point) {
    const auto beyond = [](Real off, Real half) constexpr {
        const Real d = magnitude(off) - half;
        return d > 0 ? d : Real(0);
    };
    return {beyond(point.x - box.middle.x, box.half.x), beyond(point.y - box.middle.y, box.half.y),
            beyond(point.z - box.middle.z, box.half.z)};
}
/// Squared distance of a point from a box; 0 inside.
template <class Real>
ORRERY_HD constexpr Real distance2(const Box<Real>& box, Vec3<Real> point) {
    const Vec3<Real> d = outside(box, point);
    return dot(d, d);
}

// Both rules take a cell whose bodies all lie at one place, or have no mass, at any distance: it is exact. Any other
// cell whose centre of mass lies inside the group's box is opened.

/// The geometric rule (Barnes 1994): a cell is far enough beyond l/θ + the distance of its centre of mass from its
/// middle. `extent`: longest side of the tight box of its bodies. θ 0 opens everything but bodies at one place.
template <class Real>
ORRERY_HD constexpr Real opening_radius(Real extent, Real offset, Real theta) {
    if (!(extent > 0)) return 0;
    const Real far = std::numeric_limits<Real>::max();
    return extent < far / 4 * theta ? extent / theta + offset : far;
}
template <class Real>
ORRERY_HD constexpr bool accept_geometric(Real distance2, Real radius) {
    return distance2 >= radius * radius;
}

/// The relative rule: the first neglected term of the cell's field, M·l²/d⁴ (order 1: monopole) or M·l³/d⁵ (order 2),
/// against α·a, a being the smallest |acceleration|/G in the group. This is the cell's part, M·l^(order+1)/α …
template <class Real>
ORRERY_HD constexpr Real relative_threshold(Real mass, Real extent, Real alpha, int order) {
    if (!(mass > 0 && extent > 0)) return 0;
    const Real moment = mass * extent * extent * (order == 2 ? extent : Real(1)),
               least = std::numeric_limits<Real>::min();
    const Real threshold = moment / alpha;
    return threshold > least ? threshold : least;  // not 0, which would say that the cell is exact
}
/// … and this the test. `acceleration` as group_acceleration() makes it.
template <class Real>
ORRERY_HD constexpr bool accept_relative(Real distance2, Real distance, Real threshold, Real acceleration, int order) {
    const Real d4 = distance2 * distance2;
    return (order == 2 ? d4 * distance : d4) * acceleration >= threshold;
}

/// Besides, a cell that holds bodies of the group is opened, however small its error may look beside their
/// accelerations: two bodies very close to each other would else be told the whole system as one mass, their own
/// included. Where group and centre of mass lie in one tight box, no axis has them farther apart than its longest side,
/// which rules nearly all cells out; of the others the boxes are compared. `outside`: from the group to the centre.
template <class Real>
ORRERY_HD constexpr bool apart(Vec3<Real> outside, Real extent) {
    const Real xy = outside.x > outside.y ? outside.x : outside.y;
    return (xy > outside.z ? xy : outside.z) >= extent;
}
template <class Real>
ORRERY_HD constexpr bool overlap(const Box<Real>& group, Vec3<Real> low, Vec3<Real> high) {
    return outside(group, Vec3<Real>{nearest(group.middle.x, low.x, high.x), nearest(group.middle.y, low.y, high.y),
                                     nearest(group.middle.z, low.z, high.z)}) == Vec3<Real>{};
}

/// What the relative rule compares with: the smallest acceleration of the group, but no less than a tenth of its mean
/// and a millionth of the mean of all bodies. At a centre of symmetry accelerations cancel, and a group would else
/// open every cell for the sake of one body whose error nobody can notice.
template <class Real>
ORRERY_HD constexpr Real group_acceleration(Real smallest, Real mean, Real mean_of_all) {
    const Real a = mean * Real(0.1), b = mean_of_all * Real(1e-6), floor = a > b ? a : b;
    return smallest > floor ? smallest : floor;
}

// What the rules cost in accuracy, by measurement: the largest relative RMS error of Plummer spheres of 5 000 to a
// million bodies, next to the `collision` and `cold-sphere` presets. A Plummer sphere keeps below what alpha_for()
// promises, the others within 1.5 of it; only monopoles in a uniform sphere miss it, by up to 3. docs/measuring.md
// tells how to repeat it.

/// Error of a relative rule as two powers of α, which meet where cells become few: the exact one for small α first.
struct OpeningFit {
    double accuracy, alpha;  ///< a point on both
    double small, large;     ///< powers of the accuracy below and above that point
};
constexpr OpeningFit opening_fit(int order) {
    return order == 2 ? OpeningFit{2.0e-3, 0.0326, 1.55, 1.05} : OpeningFit{1.22e-3, 0.004, 1.85, 1.35};
}

/// α of the relative rule for a relative RMS error of the forces wanted.
inline double alpha_for(double accuracy, int order) {
    const OpeningFit fit = opening_fit(order);
    return fit.alpha * std::pow(accuracy / fit.accuracy, accuracy < fit.accuracy ? fit.small : fit.large);
}
/// Its inverse.
inline double accuracy_of_alpha(double alpha, int order) {
    const OpeningFit fit = opening_fit(order);
    return fit.accuracy * std::pow(alpha / fit.alpha, 1 / (alpha < fit.alpha ? fit.small : fit.large));
}
/// Error of the geometric rule.
inline double accuracy_of_theta(double theta, int order) {
    return order == 2 ? 3.4e-3 * std::pow(theta, 3.6) : 1.5e-2 * std::pow(theta, 2.3);
}

}  // namespace orrery
