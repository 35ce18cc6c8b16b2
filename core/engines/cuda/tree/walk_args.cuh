// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/cuda/tree/cells.cuh"
#include "core/physics/opening.hpp"

namespace orrery::cuda {

/// Which groups a rank walks. Their order differs from one build of a tree to the next, their bodies do not, so pieces
/// of the curve are dealt out in turn: dense regions, whose walks are long, go to all ranks.
struct WalkRanks {
    std::uint32_t rank = 0, count = 1;
    std::uint32_t piece = 1;  ///< bodies of a piece
    ORRERY_HD bool mine(std::uint32_t first_body) const { return count == 1 || first_body / piece % count == rank; }
};

template <class Real>
struct WalkArgs {
    TreeView<Real> tree;
    std::uint64_t first, last, items;  ///< the share of all groups to walk: [first, last) of `items` parts
    Rule rule;
    Vec4<Real>* acceleration;
    double G;
    WalkRanks ranks;
};

}  // namespace orrery::cuda
