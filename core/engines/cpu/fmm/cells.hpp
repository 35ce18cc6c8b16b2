// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/pool.hpp"
#include "core/engines/cpu/buffer.hpp"
#include "core/engines/cpu/tree/build.hpp"

namespace orrery {

/// The children of a cell are a family: they lie side by side in the lanes of a vector, some lanes perhaps empty.
inline constexpr std::uint32_t kFamily = 8;

/// kFamily times the number of its family, plus its lane. The root is cell 0, alone in its family.
using FmmCell = std::uint32_t;

/// Eight cells, by lane. In the engine's units.
template <class Real>
struct alignas(64) Family {
    Real x[kFamily], y[kFamily], z[kFamily];  ///< centre of mass
    Real mass[kFamily];
    Real radius[kFamily];                    ///< of a sphere about the centre that holds all bodies
    Real spread[kFamily];                    ///< root mean square distance of the bodies from it, weighed by mass
    Real second[kFamily];                    ///< mass · spread²
    Real least[kFamily];                     ///< what the relative criterion compares with, of the bodies of the cell
    Vec3<Real> low[kFamily], high[kFamily];  ///< tight box
    std::uint32_t child[kFamily];            ///< family of its children; 0: a leaf, or no cell
    BodySpan range[kFamily];                 ///< of count 0: no cell
    std::uint32_t lanes;                     ///< bits of those that have a cell, from the first on
};

/// Cells that have all bodies between them.
struct FmmBlocks {
    std::vector<bool> is_block;         ///< by cell
    std::vector<std::uint32_t> number;  ///< by cell, of those that are blocks: from 0, along the curve
    std::uint32_t count = 0;
};

/// The cells of a Tree as families, level by level, and the memory of their expansions.
template <class Real>
class FmmCells {
public:
    /// Shapes alone; what families weigh is left to weigh_family().
    void build(const Tree<Real>& tree, int order);

    std::uint32_t families() const { return level_start_.back(); }
    /// Families of level l, those of the cells of Tree's level l: [level_start()[l], level_start()[l + 1]).
    const std::vector<std::uint32_t>& level_start() const { return level_start_; }
    Family<Real>* family() const { return families_.data(); }
    const Family<Real>& of(FmmCell cell) const { return families_.data()[cell / kFamily]; }
    BodySpan range(FmmCell cell) const { return of(cell).range[cell % kFamily]; }
    std::uint32_t child(FmmCell cell) const { return of(cell).child[cell % kFamily]; }
    /// The largest cells of at most so many bodies, and the leaves above them.
    FmmBlocks blocks(std::size_t most) const;

    Real* moments() const { return moments_.data(); }  ///< by family, term and lane
    Real* locals() const { return locals_.data(); }

private:
    std::vector<std::uint32_t> level_start_;
    std::vector<FmmCell> cell_;  // by number in the Tree
    Buffer<Family<Real>> families_;
    Buffer<Real> moments_, locals_;
};

extern template class FmmCells<float>;
extern template class FmmCells<double>;

}  // namespace orrery
