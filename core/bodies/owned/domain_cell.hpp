// SPDX-License-Identifier: MIT
// Cells of one rank's bodies, which lie in the order of the Hilbert curve, and the point masses that represent such a
// cell on other ranks (a locally essential tree: Salmon 1991, PhD thesis, Caltech; Dubinski 1996, New Astron. 1, 133).
// Pure functions for host and device, in double.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"
#include "core/physics/opening.hpp"

namespace orrery {

inline constexpr std::uint64_t kCellBodies = 16;   ///< consecutive bodies in a cell of level 0
inline constexpr std::uint64_t kCellChildren = 8;  ///< consecutive cells in a cell of the next level
inline constexpr int kMostCellLevels = 12;
/// The most boxes of a domain. Half as many again as 2¹⁶: of two ranks that share a power of two of bodies nearly
/// equally, one would otherwise send boxes of the next level, eight times as large, and receive seven times as many
/// sources.
inline constexpr std::uint64_t kMostBoxes = 98304;
inline constexpr int kCellPoints = 4;  ///< that represent a cell

/// Consecutive bodies along the curve. All lengths are in the scene's units, so that no value leaves the range of
/// float.
template <class Real>
struct DomainCell {
    Vec4<Real> centre;     ///< centre of mass; w = mass
    Vec3<Real> low, high;  ///< corners of the tight bounding box
    /// Lower triangular root L of the second moments about the centre: L Lᵀ = Σ m d dᵀ / Σ m.
    Real xx, yx, zx, yy, zy, zz;
    Real least, mean;  ///< |acceleration| of its bodies, the smallest and the mean
    Real heavy;        ///< smallest heavy_acceleration() of its heavy bodies; the largest number without any
};

/// Beginnings of the levels in an array of all cells, level 0 first.
struct CellLevels {
    std::uint64_t bodies = 0;
    int count = 0;
    std::uint64_t first[kMostCellLevels + 1] = {};  ///< the last is the number of cells

    CellLevels() = default;
    explicit CellLevels(std::uint64_t of_bodies) : bodies{of_bodies} {
        std::uint64_t cells = (of_bodies + kCellBodies - 1) / kCellBodies;
        for (std::uint64_t from = 0; cells > 0; cells = (cells + kCellChildren - 1) / kCellChildren) {
            first[count] = from, from += cells, first[++count] = from;
            if (cells == 1) break;
        }
    }
    ORRERY_HD std::uint64_t cells(int level) const { return first[level + 1] - first[level]; }
    std::uint64_t all() const { return first[count]; }
    /// Number of bodies of a cell, given its place within its level.
    ORRERY_HD std::uint64_t bodies_of(int level, std::uint64_t place) const {
        std::uint64_t each = kCellBodies;
        for (int l = 0; l < level; ++l) each *= kCellChildren;
        const std::uint64_t begin = place * each;
        return bodies - begin < each ? bodies - begin : each;
    }
    /// The finest level with at most kMostBoxes cells.
    int box_level() const {
        int level = 0;
        while (cells(level) > kMostBoxes) ++level;
        return level;
    }
};

/// Part of a domain as other ranks see it.
struct DomainBox {
    Vec3f low, high;
    float acceleration;  ///< the reference of the relative criterion, see group_acceleration()
};

/// The box around two boxes, with the lower reference: a cell that it accepts is accepted by both.
ORRERY_HD inline DomainBox around(const DomainBox& a, const DomainBox& b) {
    const auto less = [](float x, float y) { return x < y ? x : y; };
    const auto more = [](float x, float y) { return x > y ? x : y; };
    return {{less(a.low.x, b.low.x), less(a.low.y, b.low.y), less(a.low.z, b.low.z)},
            {more(a.high.x, b.high.x), more(a.high.y, b.high.y), more(a.high.z, b.high.z)},
            less(a.acceleration, b.acceleration)};
}

/// Longest side.
ORRERY_HD inline double extent_of(const DomainBox& box) {
    const double x = double(box.high.x) - double(box.low.x), y = double(box.high.y) - double(box.low.y),
                 z = double(box.high.z) - double(box.low.z), xy = x > y ? x : y;
    return xy > z ? xy : z;
}

/// The criterion by which a cell may act as points on all bodies of a box.
struct PointRule {
    bool relative = false;  ///< false: accelerations are not yet known
    double alpha = 0, theta = 0;
    double G = 1;
};

/// Second moments of bodies about a centre, divided by the mass.
struct SecondMoments {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

    ORRERY_HD void add(double share, Vec3d d) {
        xx += share * d.x * d.x, xy += share * d.x * d.y, xz += share * d.x * d.z;
        yy += share * d.y * d.y, yz += share * d.y * d.z, zz += share * d.z * d.z;
    }
    /// Stores the Cholesky root. A direction without extent, up to rounding, gets a root of 0.
    template <class Real>
    ORRERY_HD void store_root(DomainCell<Real>& cell) const {
        const double least = 1e-14 * (xx + yy + zz);
        const auto root = [least](double square) { return square > least ? std::sqrt(square) : 0.0; };
        const auto over = [](double a, double b) { return b > 0 ? a / b : 0.0; };
        const double lxx = root(xx), lyx = over(xy, lxx), lzx = over(xz, lxx);
        const double lyy = root(yy - lyx * lyx), lzy = over(yz - lzx * lyx, lyy);
        const double lzz = root(zz - lzx * lzx - lzy * lzy);
        cell.xx = Real(lxx), cell.yx = Real(lyx), cell.zx = Real(lzx);
        cell.yy = Real(lyy), cell.zy = Real(lzy), cell.zz = Real(lzz);
    }
};

template <class Real>
ORRERY_HD Vec3d in_double(Vec3<Real> v) {
    return {double(v.x), double(v.y), double(v.z)};
}
template <class Real>
ORRERY_HD Vec3d in_double(Vec4<Real> v) {
    return {double(v.x), double(v.y), double(v.z)};
}

/// Extends the box of `cell` by another one.
template <class Real>
ORRERY_HD void enclose(DomainCell<Real>& cell, Vec3<Real> low, Vec3<Real> high) {
    const auto less = [](Real a, Real b) { return a < b ? a : b; };
    const auto more = [](Real a, Real b) { return a > b ? a : b; };
    cell.low = {less(cell.low.x, low.x), less(cell.low.y, low.y), less(cell.low.z, low.z)};
    cell.high = {more(cell.high.x, high.x), more(cell.high.y, high.y), more(cell.high.z, high.z)};
}

/// A cell of level 0. `heavy_from`: see orrery::heavy_from().
template <class Real>
ORRERY_HD DomainCell<Real> cell_of_bodies(const Vec4<Real>* bodies, const Vec4<Real>* accelerations,
                                          std::uint64_t count, double heavy_from) {
    constexpr Real kMost = std::numeric_limits<Real>::max();
    DomainCell<Real> cell{};
    cell.low = cell.high = {bodies[0].x, bodies[0].y, bodies[0].z};
    cell.least = cell.heavy = kMost;
    const Vec3d about = in_double(bodies[0]);
    double mass = 0, sum = 0;
    Vec3d first{0, 0, 0}, plain{0, 0, 0};
    for (std::uint64_t i = 0; i < count; ++i) {
        const Vec3d d = in_double(bodies[i]) - about;
        mass += double(bodies[i].w), first = first + double(bodies[i].w) * d, plain = plain + d;
        enclose(cell, {bodies[i].x, bodies[i].y, bodies[i].z}, {bodies[i].x, bodies[i].y, bodies[i].z});
        const Vec3d a = in_double(accelerations[i]);
        const auto size = Real(std::sqrt(dot(a, a)));
        sum += double(size), cell.least = size < cell.least ? size : cell.least;
        if (double(bodies[i].w) >= heavy_from && heavy_acceleration(size) < cell.heavy)
            cell.heavy = heavy_acceleration(size);
    }
    const Vec3d off = mass > 0 ? (1 / mass) * first : (1 / double(count)) * plain, centre = about + off;
    SecondMoments moments;
    for (std::uint64_t i = 0; i < count && mass > 0; ++i)
        moments.add(double(bodies[i].w) / mass, in_double(bodies[i]) - centre);
    cell.centre = {Real(centre.x), Real(centre.y), Real(centre.z), Real(mass)};
    cell.mean = Real(sum / double(count));
    moments.store_root(cell);
    return cell;
}

/// A cell of the level above `children`; `bodies`: how many each of them has.
template <class Real, class BodiesOf>
ORRERY_HD DomainCell<Real> cell_of_cells(const DomainCell<Real>* children, std::uint64_t count,
                                         const BodiesOf& bodies) {
    DomainCell<Real> cell = children[0];
    const Vec3d about = in_double(children[0].centre);
    double mass = 0, sum = 0, all = 0;
    Vec3d first{0, 0, 0}, plain{0, 0, 0};
    for (std::uint64_t k = 0; k < count; ++k) {
        const DomainCell<Real>& child = children[k];
        const double n = double(bodies(k)), m = double(child.centre.w);
        const Vec3d d = in_double(child.centre) - about;
        mass += m, first = first + m * d, plain = plain + n * d;
        sum += n * double(child.mean), all += n;
        enclose(cell, child.low, child.high);
        cell.least = child.least < cell.least ? child.least : cell.least;
        cell.heavy = child.heavy < cell.heavy ? child.heavy : cell.heavy;
    }
    const Vec3d off = mass > 0 ? (1 / mass) * first : (1 / all) * plain, centre = about + off;
    SecondMoments moments;
    for (std::uint64_t k = 0; k < count && mass > 0; ++k) {
        const DomainCell<Real>& child = children[k];
        const double share = double(child.centre.w) / mass;
        moments.add(share, in_double(child.centre) - centre);
        moments.add(share, {double(child.xx), double(child.yx), double(child.zx)});
        moments.add(share, {0, double(child.yy), double(child.zy)});
        moments.add(share, {0, 0, double(child.zz)});
    }
    cell.centre = {Real(centre.x), Real(centre.y), Real(centre.z), Real(mass)};
    cell.mean = Real(sum / all);
    moments.store_root(cell);
    return cell;
}

/// Longest side of the bounding box.
template <class Real>
ORRERY_HD double extent_of(const DomainCell<Real>& cell) {
    const Vec3d d = in_double(cell.high) - in_double(cell.low);
    const double xy = d.x > d.y ? d.x : d.y;
    return xy > d.z ? xy : d.z;
}

/// The box of a cell, rounded outward. `mean_of_all`: of the |acceleration| of all bodies.
template <class Real>
ORRERY_HD DomainBox box_of(const DomainCell<Real>& cell, double mean_of_all) {
    constexpr float kFar = std::numeric_limits<float>::max();
    const auto below = [](Real x) { return nextafterf(float(x), -kFar); };
    const auto above = [](Real x) { return nextafterf(float(x), kFar); };
    const double group = group_acceleration(double(cell.least), double(cell.mean), mean_of_all),
                 heavy = double(cell.heavy);
    return {{below(cell.low.x), below(cell.low.y), below(cell.low.z)},
            {above(cell.high.x), above(cell.high.y), above(cell.high.z)},
            float(heavy < group ? heavy : group)};
}

/// True if the cell may act on every body of the box as points. The points have the second moments of the cell, so the
/// criteria are those of `tree` for quadrupoles; see core/physics/opening.hpp. The relative one, G M l³/r⁵ ≤ α a, is
/// squared: there is neither a root nor a division for each box.
template <class Real>
ORRERY_HD bool accept_points(const DomainCell<Real>& cell, const DomainBox& box, const PointRule& rule) {
    const double extent = extent_of(cell), mass = double(cell.centre.w);
    if (!(mass > 0 && extent > 0)) return true;
    const auto beyond = [](double x, double low, double high) { return x < low ? low - x : x > high ? x - high : 0.0; };
    const Vec3d centre = in_double(cell.centre), low = in_double(box.low), high = in_double(box.high);
    const Vec3d off{beyond(centre.x, low.x, high.x), beyond(centre.y, low.y, high.y), beyond(centre.z, low.z, high.z)};
    const double r2 = dot(off, off), l2 = extent * extent;
    if (!(r2 >= l2)) return false;
    if (!rule.relative) {
        const Vec3d middle = 0.5 * (in_double(cell.low) + in_double(cell.high)), skew = centre - middle;
        const double least = extent / rule.theta + std::sqrt(dot(skew, skew));
        return r2 >= least * least;
    }
    const double field = rule.G * mass / l2, reference = rule.alpha * double(box.acceleration);
    const double s = r2 * (1 / l2), s2 = s * s;  // (r/l)²
    return field * field <= reference * reference * (s2 * s2 * s);
}

/// Source of force for another rank: a body, or one of the points of a cell.
template <class Real>
struct DomainSource {
    Real x, y, z, mass;
    Real acceleration;  ///< |acceleration| of the body, or the mean of the cell
};

/// Number of sources of an accepted cell.
template <class Real>
ORRERY_HD int points_of(const DomainCell<Real>& cell) {
    if (!(cell.centre.w > 0)) return 0;
    return cell.xx > 0 || cell.yy > 0 || cell.zz > 0 ? kCellPoints : 1;
}

/// Source k of an accepted cell. The corners t of a tetrahedron have Σ t = 0 and Σ t tᵀ = 4·1, so equal masses at
/// centre + L t have the centre of mass and the second moments of the cell.
template <class Real>
ORRERY_HD DomainSource<Real> point_of(const DomainCell<Real>& cell, int k) {
    const int count = points_of(cell);
    const double x = k < 2 ? 1 : -1, y = k % 2 == 0 ? 1 : -1, z = x * y;
    return {Real(double(cell.centre.x) + x * double(cell.xx)),
            Real(double(cell.centre.y) + x * double(cell.yx) + y * double(cell.yy)),
            Real(double(cell.centre.z) + x * double(cell.zx) + y * double(cell.zy) + z * double(cell.zz)),
            Real(double(cell.centre.w) / count), cell.mean};
}

template <class Real>
ORRERY_HD DomainSource<Real> source_of(const Vec4<Real>& body, const Vec4<Real>& acceleration) {
    const Vec3d a = in_double(acceleration);
    return {body.x, body.y, body.z, body.w, Real(std::sqrt(dot(a, a)))};
}

}  // namespace orrery
