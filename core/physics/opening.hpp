// SPDX-License-Identifier: MIT
// Multipole acceptance criteria (MAC): whether a group of bodies may accept a cell or must open it. Pure functions of
// numbers: no memory, no threads.
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// A box, given by its middle and half its sides.
template <class Real>
struct CentredBox {
    Vec3<Real> middle, half;
};

/// The number in [low, high] nearest to x.
template <class Real>
ORRERY_HD constexpr Real nearest(Real x, Real low, Real high) {
    return x < low ? low : x > high ? high : x;
}
/// |x|, which costs no separate operation on a GPU.
template <class Real>
ORRERY_HD constexpr Real magnitude(Real x) {
    if (std::is_constant_evaluated()) return x < 0 ? -x : x;
    return std::fabs(x);
}
/// Distance of a point from a box along each axis; 0 within the box's extent.
template <class Real>
ORRERY_HD constexpr Vec3<Real> outside(const CentredBox<Real>& box, Vec3<Real> point) {
    const auto beyond = [](Real off, Real half) constexpr {
        const Real d = magnitude(off) - half;
        return d > 0 ? d : Real(0);
    };
    return {beyond(point.x - box.middle.x, box.half.x), beyond(point.y - box.middle.y, box.half.y),
            beyond(point.z - box.middle.z, box.half.z)};
}
/// Squared distance of a point from a box; 0 inside.
template <class Real>
ORRERY_HD constexpr Real distance2(const CentredBox<Real>& box, Vec3<Real> point) {
    const Vec3<Real> d = outside(box, point);
    return dot(d, d);
}

// Both criteria accept a cell at any distance if it has no mass or all its bodies coincide: its expansion is exact. Any
// other cell whose centre of mass lies inside the group's box is opened.

/// The geometric criterion (Barnes 1994): a cell is accepted beyond l/θ + the distance between its centre of mass and
/// its geometric centre. `extent`: l, the longest side of the tight bounding box of its bodies. θ = 0 opens everything
/// except coincident bodies.
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

/// The relative criterion: the first neglected term of the cell's field, M·l²/d⁴ (order 1: monopole) or M·l³/d⁵ (order
/// 2), compared with α·a, where a is the smallest |acceleration|/G in the group. This function computes the cell's
/// part, M·l^(order+1)/α …
template <class Real>
ORRERY_HD constexpr Real relative_threshold(Real mass, Real extent, Real alpha, int order) {
    if (!(mass > 0 && extent > 0)) return 0;
    const Real moment = mass * extent * extent * (order == 2 ? extent : Real(1)),
               least = std::numeric_limits<Real>::min();
    const Real threshold = moment / alpha;
    return threshold > least ? threshold : least;  // never 0, which would mark the cell as exact
}
/// … and this one is the test. `acceleration` as returned by group_acceleration().
template <class Real>
ORRERY_HD constexpr bool accept_relative(Real distance2, Real distance, Real threshold, Real acceleration, int order) {
    const Real d4 = distance2 * distance2;
    return (order == 2 ? d4 * distance : d4) * acceleration >= threshold;
}

/// In addition, a cell that contains bodies of the group is always opened, however small its error relative to their
/// accelerations: otherwise two bodies very close to each other could accept the whole system, including themselves, as
/// one mass. If the group and the centre of mass lie in one tight box, their separation along any axis is at most its
/// longest side, which rules out nearly all cells; for the others the boxes are compared. `outside`: from the group to
/// the centre.
template <class Real>
ORRERY_HD constexpr bool apart(Vec3<Real> outside, Real extent) {
    const Real xy = outside.x > outside.y ? outside.x : outside.y;
    return (xy > outside.z ? xy : outside.z) >= extent;
}
template <class Real>
ORRERY_HD constexpr bool overlap(const CentredBox<Real>& group, Vec3<Real> low, Vec3<Real> high) {
    return outside(group, Vec3<Real>{nearest(group.middle.x, low.x, high.x), nearest(group.middle.y, low.y, high.y),
                                     nearest(group.middle.z, low.z, high.z)}) == Vec3<Real>{};
}

/// The reference of the relative criterion: the smallest acceleration of the group, but at least a tenth of its mean
/// and a millionth of the mean of all bodies. At a centre of symmetry accelerations cancel, and a group would otherwise
/// open every cell for one body whose error is negligible.
template <class Real>
ORRERY_HD constexpr Real group_acceleration(Real smallest, Real mean, Real mean_of_all) {
    const Real a = mean * Real(0.1), b = mean_of_all * Real(1e-6), floor = a > b ? a : b;
    return smallest > floor ? smallest : floor;
}

/// A body of at least this mass is heavy: a thousandth of the total, and ten times the mean. Where the forces of light
/// bodies on it cancel, its acceleration is far below theirs, yet an error in it moves most of the mass.
template <class Real>
ORRERY_HD constexpr Real heavy_from(Real mass_of_all, Real bodies) {
    const Real share = mass_of_all * Real(1e-3), many = 10 * mass_of_all / bodies;
    return share > many ? share : many;
}
/// A group with a heavy body compares errors with this fraction of that body's acceleration, if it is less than
/// group_acceleration(). A fraction, because the error of a single body scatters.
template <class Real>
ORRERY_HD constexpr Real heavy_acceleration(Real acceleration) {
    return Real(0.25) * acceleration;
}

// Measured accuracy of the criteria: the largest relative RMS error of Plummer spheres of 5 000 to a million bodies,
// compared with the `collision` and `cold-sphere` presets. A Plummer sphere stays below the accuracy of alpha_for(),
// the others within a factor of 1.5 of it; only monopoles in a uniform sphere exceed it, by up to 3. docs/measuring.md
// describes how to reproduce it.

/// Error of the relative criterion as a broken power law in α; the break is where cells become few.
struct OpeningFit {
    double accuracy, alpha;  ///< the break
    double small, large;     ///< exponents of the accuracy below and above the break
};
constexpr OpeningFit opening_fit(int order) {
    return order == 2 ? OpeningFit{2.0e-3, 0.0326, 1.55, 1.05} : OpeningFit{1.22e-3, 0.004, 1.85, 1.35};
}

/// α of the relative criterion for a requested relative RMS error of the forces.
inline double alpha_for(double accuracy, int order) {
    const OpeningFit fit = opening_fit(order);
    return fit.alpha * std::pow(accuracy / fit.accuracy, accuracy < fit.accuracy ? fit.small : fit.large);
}
/// Inverse of alpha_for().
inline double accuracy_of_alpha(double alpha, int order) {
    const OpeningFit fit = opening_fit(order);
    return fit.accuracy * std::pow(alpha / fit.alpha, 1 / (alpha < fit.alpha ? fit.small : fit.large));
}
/// Relative RMS error of the geometric criterion.
inline double accuracy_of_theta(double theta, int order) {
    return order == 2 ? 3.4e-3 * std::pow(theta, 3.6) : 1.5e-2 * std::pow(theta, 2.3);
}

}  // namespace orrery
