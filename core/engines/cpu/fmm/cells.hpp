// SPDX-License-Identifier: MIT
// Cells of the fast multipole method as families of eight siblings in a structure of arrays, so that a vector holds the
// siblings.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/pool.hpp"
#include "core/engines/cpu/buffer.hpp"
#include "core/engines/cpu/tree/build.hpp"

namespace orrery {

/// The children of a cell form a family: they occupy the lanes of a vector, of which the last may be empty.
inline constexpr std::uint32_t kFamily = 8;

/// Index of a cell: kFamily times the number of its family, plus its lane. The root is cell 0, alone in its family.
using FmmCell = std::uint32_t;

/// Eight sibling cells, by lane, in the engine's units.
template <class Real>
struct alignas(64) Family {
    Real x[kFamily], y[kFamily], z[kFamily];  ///< centre of mass
    Real mass[kFamily];
    Real radius[kFamily];                    ///< of a sphere about the centre of mass that contains all bodies
    Real spread[kFamily];                    ///< mass-weighted root mean square distance of the bodies from the centre
    Real second[kFamily];                    ///< mass · spread²
    Real least[kFamily];                     ///< error limit of the relative criterion for the cell's bodies
    Vec3<Real> low[kFamily], high[kFamily];  ///< corners of the tight bounding boxes
    std::uint32_t child[kFamily];            ///< family of the cell's children; 0: a leaf, or no cell
    BodySpan range[kFamily];                 ///< count 0: no cell
    std::uint32_t lanes;                     ///< bit mask of the occupied lanes, which come first
};

/// Disjoint cells that together contain all bodies.
struct FmmBlocks {
    std::vector<bool> is_block;         ///< by cell
    std::vector<std::uint32_t> number;  ///< by cell, for those that are blocks: from 0, along the curve
    std::vector<std::uint32_t> ends;    ///< by number: end of its bodies along the curve

    std::size_t count() const { return ends.size(); }
};

/// The cells of a Tree grouped into families, level by level, and the memory of their expansions.
template <class Real>
class FmmCells {
public:
    /// Sets up the structure only; upward_pass() computes masses and moments.
    void build(const Tree<Real>& tree, int order);

    std::uint32_t families() const { return level_start_.back(); }
    /// Families on level l, which hold the cells of Tree's level l: [level_start()[l], level_start()[l + 1]).
    const std::vector<std::uint32_t>& level_start() const { return level_start_; }
    Family<Real>* family() const { return families_.data(); }
    const Family<Real>& of(FmmCell cell) const { return families_.data()[cell / kFamily]; }
    BodySpan range(FmmCell cell) const { return of(cell).range[cell % kFamily]; }
    std::uint32_t child(FmmCell cell) const { return of(cell).child[cell % kFamily]; }
    /// The largest cells of at most `most` bodies, and leaves that have more.
    FmmBlocks blocks(std::size_t most) const;

    Real* moments() const { return moments_.data(); }  ///< indexed by family, term and lane
    Real* locals() const { return locals_.data(); }

private:
    std::vector<std::uint32_t> level_start_;
    std::vector<FmmCell> cell_;  // by index in the Tree
    Buffer<Family<Real>> families_;
    Buffer<Real> moments_, locals_;
};

extern template class FmmCells<float>;
extern template class FmmCells<double>;

}  // namespace orrery
