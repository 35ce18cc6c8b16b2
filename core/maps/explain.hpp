// SPDX-License-Identifier: MIT
// The maps as a lesson: the arithmetic of a single block with its numbers.
#pragma once
#include <string>
#include <vector>

#include "core/maps/maps.hpp"

namespace orrery {

/// The equations that lead from this block to its tile in a triangle of `rows` rows, in order, with their numbers:
/// "row = ⌊√(2·53 + ¼) − ½⌋ = 9", "col = 53 − 9·10/2 = 8". Row and column are those of the map itself. A block without
/// a tile ends in an inequality that shows it. A map with a root ends with the value of its root.
std::vector<std::string> worked_out(const MapEntry& map, const RootEntry& root, Block block, std::uint32_t rows);
/// The same for a tetrahedron of `side` layers.
std::vector<std::string> worked_out(const Map3Entry& map, const RootEntry& root, Block3 block, std::uint32_t side);

}  // namespace orrery
