// SPDX-License-Identifier: MIT
// Checks and descriptions of the tiles of GPU engines, on every backend.
#pragma once
#include <string>

#include "core/engines/config.hpp"

namespace orrery {

/// `direct`. Throws Error{kUsage} naming the parameter and its range.
void check_tile(const TileConfig& tile);
/// "p 128 · u 8 · q 1 · k 4, 16 column splits"
std::string describe_tile(const TileConfig& tile, unsigned splits);
/// `half` on cuda. Throws Error{kUsage} unless the tiles per block are 0 or a power of two up to 64.
void check_strip(int strip);
/// `half`. Throws Error{kUsage} unless ρ is 0 or 32, 64, 128, 256, 384, 512, 768 or 1024.
void check_tile_size(int tile_size);

}  // namespace orrery
