// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/engines/report.hpp"

namespace orrery {

/// A cell at which the walk of a body through the tree ends.
struct WalkedCell {
    std::uint32_t cell;  ///< index
    bool accepted;       ///< acts as one; otherwise its bodies act one by one
};

/// The walk of a body at `point`, with the geometric acceptance criterion of Barnes and Hut (1986): a cell of side l
/// whose centre is at distance d is accepted if l/d < θ, otherwise its children are walked. A leaf that is not accepted
/// is near, as is a cell whose children are not among `cells`, which hold whole levels from the root down.
std::vector<WalkedCell> opening_walk(std::span<const TreeCell> cells, Vec3f point, double theta);

}  // namespace orrery
