// SPDX-License-Identifier: MIT
// Monopole and quadrupole moments of a cell of bodies, and their field.
#pragma once
#include <cmath>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// 3 Σ m d dᵀ about the centre of mass, with its trace: a softened field is not harmonic, so the trace contributes.
template <class Real>
struct Quadrupole {
    Real xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

    ORRERY_HD constexpr Real trace() const { return xx + yy + zz; }
    ORRERY_HD constexpr Vec3<Real> operator*(Vec3<Real> d) const {
        return {xx * d.x + xy * d.y + xz * d.z, xy * d.x + yy * d.y + yz * d.z, xz * d.x + yz * d.y + zz * d.z};
    }
};

/// Sums for the centre of mass, taken about a point of the cell so that rounding errors scale with the cell, not with
/// the distance from the origin: add all parts, then call centre().
template <class Real>
struct MassSum {
    Vec3<Real> about;
    Real mass{};
    Vec3<Real> first{};  ///< Σ m (x − about)
    Vec3<Real> plain{};  ///< Σ (x − about)
    Real count{};

    ORRERY_HD constexpr void add(Vec4<Real> body) {
        const Vec3<Real> d = xyz(body) - about;
        mass += body.w, first = first + body.w * d;
        plain = plain + d, count += 1;
    }
    /// The centre of mass, with the mass in w. A massless cell exerts no force, but still needs a position: the mean of
    /// its parts.
    ORRERY_HD constexpr Vec4<Real> centre() const {
        const bool weighs = mass > 0;
        const Vec3<Real> sum = weighs ? first : plain;
        const Real by = weighs ? mass : count;
        return {about.x + sum.x / by, about.y + sum.y / by, about.z + sum.z / by, mass};
    }
};

/// Adds a body, or a child cell as a point mass, at `d` from the centre of mass (parallel-axis theorem).
template <class Real>
ORRERY_HD constexpr void add_at(Quadrupole<Real>& to, Vec3<Real> d, Real mass) {
    const Vec3<Real> m = (Real(3) * mass) * d;
    to.xx += m.x * d.x, to.yy += m.y * d.y, to.zz += m.z * d.z;
    to.xy += m.x * d.y, to.xz += m.x * d.z, to.yz += m.y * d.z;
}
/// Adds a child cell's moments about its own centre.
template <class Real>
ORRERY_HD constexpr void add(Quadrupole<Real>& to, const Quadrupole<Real>& child) {
    to.xx += child.xx, to.yy += child.yy, to.zz += child.zz;
    to.xy += child.xy, to.xz += child.xz, to.yz += child.yz;
}

/// Adds the acceleration of a point by a cell's mass (monopole), without G, given d = centre − point and y = 1/√(d² +
/// ε²); w accumulates M·y.
template <class Real>
ORRERY_HD constexpr void add_monopole(Vec4<Real>& sum, Vec3<Real> d, Real mass, Real y) {
    const Real my = mass * y, factor = my * (y * y);
    sum.x += factor * d.x, sum.y += factor * d.y, sum.z += factor * d.z, sum.w += my;
}

/// Adds the quadrupole term of the expansion of Σ m/√(r² + ε²): with q = Q·d, p = d·q, t = trace, −φ = ½ (p y² − t/3)
/// y³ and a = ((5/2 p y² − t/2) d − q) y⁵.
template <class Real>
ORRERY_HD constexpr void add_quadrupole(Vec4<Real>& sum, Vec3<Real> d, const Quadrupole<Real>& quadrupole, Real y) {
    const Vec3<Real> q = quadrupole * d;
    const Real y2 = y * y, y3 = y * y2, y5 = y3 * y2, p = dot(q, d) * y2, t = quadrupole.trace();
    const Real along = (Real(2.5) * p - Real(0.5) * t) * y5;
    sum.x += along * d.x - y5 * q.x, sum.y += along * d.y - y5 * q.y, sum.z += along * d.z - y5 * q.z;
    sum.w += (Real(0.5) * p - t / 6) * y3;
}

}  // namespace orrery
