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

/// The octree over bodies in key order, built top-down, level by level: the children of a cell are contiguous, and so
/// are its bodies. A cell with more than `leaf` bodies is subdivided unless their keys are equal.
template <class Real>
class Tree {
public:
    /// Keys and bodies are not copied and must remain valid until the next call.
    void build(Pool& pool, std::span<const std::uint64_t> keys, std::span<const Vec4<Real>> bodies, int leaf);
    /// Computes masses, centres of mass, bounding boxes and, for order 2, quadrupoles, from the leaves upward.
    void fill_moments(Pool& pool, int order);
    /// Groups of bodies that share a walk, in key order: cells of at most `most` bodies, merged with siblings while the
    /// total does not exceed `most`.
    std::vector<BodySpan> groups(std::uint32_t most) const;
    /// Computes each cell's threshold for an acceptance criterion. `blur`: uncertainty of positions, added to the cell
    /// size.
    void set_thresholds(Pool& pool, const WalkMac& rule, Real blur);

    /// `low`: low parts of the bodies in tree order, as BodyView::low.
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
    std::vector<std::size_t> level_start_;  // levels + 1 entries
    std::vector<CellLink> links_;
    std::vector<BodySpan> ranges_;
    std::vector<Borders> borders_;        // of the cells of a level, while it is subdivided
    std::vector<Vec4<Real>> centres_;     // centres of mass; w = mass
    std::vector<Real> x_, y_, z_;         // the same as separate arrays, for vector loads
    std::vector<Real> threshold_;         // precomputed by the acceptance criterion
    std::vector<Real> extent_;            // longest side of the tight bounding box
    std::vector<Vec3<Real>> low_, high_;  // corners of the tight bounding boxes
    std::vector<Quadrupole<Real>> quadrupoles_;
};

extern template class Tree<float>;
extern template class Tree<double>;

}  // namespace orrery
