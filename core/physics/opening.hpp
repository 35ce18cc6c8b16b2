// SPDX-License-Identifier: MIT
// When a group of bodies may take a cell whole. Free functions of numbers: no memory, no threads.
#pragma once
#include <cmath>
#include <limits>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// A box by its middle and half its sides.
template <class Real>
struct Box {
    Vec3<Real> middle, half;
};

/// Squared distance of a point from a box; 0 inside.
template <class Real>
ORRERY_HD constexpr Real distance2(const Box<Real>& box, Vec3<Real> point) {
    const auto outside = [](Real off, Real half) constexpr {
        const Real d = (off < 0 ? -off : off) - half;
        return d > 0 ? d : Real(0);
    };
    const Real dx = outside(point.x - box.middle.x, box.half.x), dy = outside(point.y - box.middle.y, box.half.y),
               dz = outside(point.z - box.middle.z, box.half.z);
    return dx * dx + dy * dy + dz * dz;
}

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
    return distance2 > 0 && distance2 > radius * radius;
}

/// The relative rule: the first neglected term of the cell's field, M·l²/d⁴ (order 1: monopole) or M·l³/d⁵ (order 2),
/// against α·a, a being the smallest |acceleration|/G in the group. This is the cell's part, M·l^(order+1)/α …
template <class Real>
ORRERY_HD constexpr Real relative_threshold(Real mass, Real extent, Real alpha, int order) {
    Real moment = mass * extent * extent;
    if (order == 2) moment *= extent;
    // A moment of 0 (one body, bodies at one place, no mass) is exact at any α, even one too small to divide by.
    return moment > 0 ? moment / alpha : Real(0);
}
/// … and this the test. A cell whose centre of mass lies inside the group's box is never taken.
template <class Real>
ORRERY_HD constexpr bool accept_relative(Real distance2, Real threshold, Real acceleration, int order, Real root) {
    const Real d4 = distance2 * distance2;
    return distance2 > 0 && (order == 2 ? d4 * root : d4) * acceleration > threshold;
}

/// α of the relative rule for a relative RMS error of the forces wanted. By measurement; see docs/measuring.md.
inline double alpha_for(double accuracy, int order) {
    return order == 2 ? 0.02 * std::pow(accuracy / 1e-3, 1.25) : 0.01 * std::pow(accuracy / 1e-3, 1.4);
}

}  // namespace orrery
