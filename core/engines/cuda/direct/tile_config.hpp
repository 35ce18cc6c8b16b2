// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/engines/config.hpp"

namespace orrery::cuda {

/// Throws Error{kUsage} naming the parameter and its range.
void check_tile(const TileConfig& tile);
/// Throws Error{kUsage}: this kernel needs too many registers for a block of p·q threads.
[[noreturn]] void refuse_block(const TileConfig& tile, int most_threads);
/// "p 128 · u 8 · q 1 · k 4, 16 column splits"
std::string describe_tile(const TileConfig& tile, unsigned splits);
/// "with jerks: 64 rows a block, 16 column splits"
std::string describe_jerk_rows(unsigned rows, unsigned splits);

}  // namespace orrery::cuda
