// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "core/base/vec.hpp"
#include "core/physics/multipole.hpp"

namespace orrery {

/// A contiguous range of bodies along the curve.
struct BodySpan {
    std::uint32_t first, count;
};

/// Content of a cell: bodies if it is a leaf, otherwise child cells.
struct CellLink {
    static constexpr std::uint32_t kLeaf = 1u << 31;
    std::uint32_t first = 0;
    std::uint32_t count = 0;  ///< with the bit kLeaf

    bool leaf() const { return (count & kLeaf) != 0; }
    std::uint32_t parts() const { return count & ~kLeaf; }
};

/// The acceptance criterion of a walk, with the order of its test; see core/physics/opening.hpp.
struct WalkMac {
    enum Kind { kGeometric, kMonopole, kQuadrupole } kind;  ///< kMonopole, kQuadrupole: relative error of that order
    double value;                                           ///< θ or α
};

/// The tree as read by a walk. Non-owning.
template <class Real>
struct WalkTree {
    const Vec4<Real>* bodies;
    const Vec4<Real>* low;  ///< of bodies, as BodyView::low; cells are positioned with the precision of `Real`
    const Real *x, *y, *z;  ///< centres of mass; vectors may read 16 cells beyond the last
    const Real* threshold;  ///< of the criterion: R² or M·l^(order+1)/α
    const Real* extent;     ///< longest sides of the tight bounding boxes
    const Vec3<Real>*low_corners, *high_corners;  ///< of these boxes
    const CellLink* links;
    const Vec4<Real>* centres;  ///< with the mass
    const Quadrupole<Real>* quadrupoles;
};

inline constexpr std::uint32_t kMostGroup = 128;

/// Factor between lengths in the tree and in CurveOrder. It keeps the quadrupole's 1/r⁵ within float down to distances
/// at which bodies touch, and its reciprocal at the size of the system.
template <class Real>
inline constexpr Real kTreeZoom = 1;
template <>
inline constexpr float kTreeZoom<float> = 0x1p15f;

/// One group's walk over the tree.
template <class Real>
struct GroupWalk {
    WalkTree<Real> tree;
    const Vec4<Real>*rows, *rows_low;       ///< bodies whose forces are computed, as WalkTree::bodies and low
    const std::uint32_t* places = nullptr;  ///< positions of the rows in WalkTree::bodies; null: identical
    BodySpan group;                         ///< a range of the rows, at most kMostGroup
    WalkMac::Kind rule;
    Real acceleration;  ///< error scale of the group for relative criteria; see group_acceleration()
    Real softening2;
    bool quadrupoles;
    bool potential;
    Vec4<Real>* sums;  ///< out: acceleration of each body without G; in w Σ m/√(r²+ε²) over all other bodies
};
/// Number of interactions of each body of a group.
struct WalkCounts {
    std::uint64_t bodies = 0, cells = 0;
};
WalkCounts walk_group(const GroupWalk<float>& work);
WalkCounts walk_group(const GroupWalk<double>& work);

}  // namespace orrery
