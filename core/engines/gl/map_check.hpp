// SPDX-License-Identifier: MIT
// Thread maps in GLSL: their numbers, their range, and checks on the device that uses them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/maps/maps.hpp"

namespace orrery::gl {

/// Definitions of core/gl/shaders/maps.glsl: the numbers of maps and roots. `root`: the root in use, because the one in
/// double is compiled only where it is needed.
std::string map_defines(const RootEntry& root);

/// Throws Error{kUsage} if the map would need indices of more than 32 bits: beyond kNarrowRows rows of tiles.
void require_rows(const MapEntry& map, std::uint64_t rows);

/// Runs the map over its grid and counts: throws Error{kUsage} unless each tile of the triangle has exactly one block
/// on this device. Once for each map, root and number of rows. `table`: a buffer for maps that read one, else 0.
void require_every_tile(const MapEntry& map, const RootEntry& root, std::uint32_t rows, unsigned table);

/// The tile of every block of the map's grid, x first, computed on the device.
std::vector<Tile> tiles_on_device(const MapEntry& map, const RootEntry& root, std::uint32_t rows);

/// Number of indices from `first` to before `last` that core/maps/exact/exact_maps.glsl maps to a wrong element on this
/// device. `order`: 2 for pairs, 3 for triples, 4 for quadruples. `n`: points of the condensed order, which is checked
/// with the pairs.
std::uint32_t exact_misplaced(int order, std::uint32_t first, std::uint32_t last, std::uint32_t n);

}  // namespace orrery::gl
