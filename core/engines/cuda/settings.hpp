// SPDX-License-Identifier: MIT
// Checks and descriptions of the settings of CUDA engines: compiled by the host's compiler, because nvcc does not
// compile fmt's format strings.
#pragma once
#include <cstdint>
#include <string>

#include "core/engines/config.hpp"
#include "core/engines/tile_settings.hpp"

namespace orrery::cuda {

// `direct`. Throws Error{kUsage} naming the parameter and its range.
/// This kernel needs too many registers for a block of p·q threads.
[[noreturn]] void refuse_block(const TileConfig& tile, int most_threads);
/// "with jerks: 64 rows a block, 16 column splits"
std::string describe_jerk_rows(unsigned rows, unsigned splits);

/// `half`.
/// `strip`: tiles per block.
std::string describe_half(const EngineConfig& config, int tile_size, std::uint64_t tiles, unsigned strip,
                          unsigned copies);

/// `triplet`. Throws Error{kUsage} unless the map is one of triples, the root is in the menu, and ρ is 0 or 32.
void check_triplet(const EngineConfig& config);
/// Throws Error{kUsage} if there are more tiles than the maps support.
void check_triplet_tiles(std::uint64_t bodies);
std::string describe_triplet(const EngineConfig& config, std::uint32_t tiles);

/// `tree`. Throws Error{kEnvironment} if there are more cells than the tree's indices can address.
void require_cells(std::uint64_t cells);

}  // namespace orrery::cuda
