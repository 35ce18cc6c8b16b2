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
/// `half`. Throws Error{kUsage} unless ρ is 0 or 32, 64, 128, 256, 384, 512, 768 or 1024.
void check_tile_size(int tile_size);

}  // namespace orrery
