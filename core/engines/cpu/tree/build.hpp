// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/engines/cpu/tree/walk.hpp"
#include "core/physics/multipole.hpp"

namespace orrery {

/// The octree over bodies in key order: level by level from the root, so the children of a cell are contiguous, and so
/// are its bodies. A cell of more than `leaf` bodies is subdivided, unless their keys are equal.
template <class Real>
class Tree {
public:
    /// Borrows keys and bodies, which must remain valid until the next call.
    void build(Pool& pool, std::span<const std::uint64_t> keys, std::span<const Vec4<Real>> bodies, int leaf);
    /// Masses, centres, boxes and, for order 2, quadrupoles; from the leaves upward.
    void fill_moments(Pool& pool, int order);
    /// Groups of bodies that share a walk: cells of at most `most` bodies, merged with their siblings as long as the
    /// total is not larger. In key order.
    std::vector<BodySpan> groups(std::uint32_t most) const;
    /// Prepares cells for a opening criterion. `blur`: uncertainty of positions, which is the minimum cell size.
    void set_thresholds(Pool& pool, const OpeningRule& rule, Real blur);

    /// `low`: of the bodies, in their order, as BodyView::low.
    WalkTree<Real> view(const Vec4<Real>* low) const;
    std::size_t cells() const { return links_.size(); }
    std::uint64_t leaves() const { return leaves_; }
    int levels() const { return static_cast<int>(level_start_.size()) - 1; }
    std::span<const std::size_t> level_start() const { return level_start_; }
    const CellLink& link(std::size_t cell) const { return links_[cell]; }
    BodySpan range(std::size_t cell) const { return ranges_[cell]; }

private:
    using Borders = std::array<std::uint32_t, 9>;

    std::size_t divide_level(Pool& pool, int level, int leaf);
    Borders divide(BodySpan range, int level) const;
    void fill(std::size_t cell, int order);

    std::span<const std::uint64_t> keys_;
    std::span<const Vec4<Real>> bodies_;
    std::uint64_t leaves_ = 0;
    std::vector<std::size_t> level_start_;  // levels + 1 of them
    std::vector<CellLink> links_;
    std::vector<BodySpan> ranges_;
    std::vector<Borders> borders_;        // of the cells of a level, while it is subdivided
    std::vector<Vec4<Real>> centres_;     // of mass; w = mass
    std::vector<Real> x_, y_, z_;         // the same as separate arrays, for vectors
    std::vector<Real> threshold_;         // as required by the opening criterion
    std::vector<Real> extent_;            // longest side of the tight box
    std::vector<Vec3<Real>> low_, high_;  // tight boxes
    std::vector<Quadrupole<Real>> quadrupoles_;
};

extern template class Tree<float>;
extern template class Tree<double>;

}  // namespace orrery
