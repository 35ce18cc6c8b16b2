// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/engines/engine.hpp"

namespace orrery::cuda {

/// Throws Error{kUsage} naming the knob and its range.
void check_tile(const TileConfig& tile);
/// "p 128 · u 8 · q 1 · k 4, 16 column splits"
std::string describe_tile(const TileConfig& tile, unsigned splits);

}  // namespace orrery::cuda
