// SPDX-License-Identifier: MIT
// The maps as a lesson: full name, formula, source, and the arithmetic of a single block with its numbers. One entry
// per map, in explain.cpp; a map of the lists without one does not compile.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/maps/maps.hpp"

namespace orrery {

/// "Bounding box" of "Bounding box (bb)".
constexpr std::string_view without_id(std::string_view name) { return name.substr(0, name.rfind(" (")); }

struct MapNote {
    std::string_view name;     ///< with the id: "Bounding box (bb)"
    std::string_view formula;  ///< from block (x, y) or (x, y, z) to its tile
    std::string_view source;   ///< authors, title and year; empty: a map of this program
};
const MapNote& note_of(const MapEntry& map);
const MapNote& note_of(const Map3Entry& map);

struct RootNote {
    std::string_view name;     ///< with the id: "Newton steps, N (newton)"
    std::string_view formula;  ///< of √x
};
const RootNote& note_of(const RootEntry& root);

/// The equations that lead from this block to its tile in a triangle of `rows` rows, in order, with their numbers:
/// "row = ⌊√(2·53 + ¼) − ½⌋ = 9", "col = 53 − 9·10/2 = 8". Row and column are those of the map itself. A block without
/// a tile ends in an inequality that shows it. A map with a root ends with the value of its root.
std::vector<std::string> worked_out(const MapEntry& map, const RootEntry& root, Block block, std::uint32_t rows);
/// The same for a tetrahedron of `side` layers.
std::vector<std::string> worked_out(const Map3Entry& map, const RootEntry& root, Block3 block, std::uint32_t side);

}  // namespace orrery
