// SPDX-License-Identifier: MIT
// Constants of `direct` on a GPU that were fitted by measurements on an NVIDIA H200 (CUDA 13.0, November 2026; tables
// in bench/results/h200). To repeat one, compare the medians of
//   orrery bench --engines direct --backend cuda --sweep tile --bodies 2048,8192,32768,262144
#pragma once
#include <cstdint>

#include "core/engines/config.hpp"

namespace orrery::cuda {

/// The shape of the tiles for `n` bodies in single or double precision, `split`: with positions of two floats; s is
/// left to split_columns().
constexpr TileConfig fitted_tile(std::uint64_t n, bool single, bool split) {
    return {.p = n <= 2048 || (single && n > 32768) ? 64
                 : single && n > 8192               ? 256
                                                    : 128,
            .u = single && !split ? 16 : 8,
            .q = 1,
            .k = single ? (n > 8192   ? 8
                           : n > 2048 ? 2
                                      : 1)
                        : 2};
}

/// Columns that one thread adds to one float in registers, or those of one tile if it has more. More columns lose
/// digits: of 8192, from the first to the last, the relative RMS error of `collision` is 1.1e-5; with 1024 that of
/// `disc-galaxy` is 4.6e-7, with 256 no preset of 131 072 bodies exceeds 2.7e-7. 256 take 0.7 % longer than 1024.
inline constexpr unsigned kColumnsOfSum = 256;

/// Columns of a split. More lengthen the last wave of blocks, fewer cost reductions.
inline constexpr std::uint64_t kSplitColumns = 8192, kLeastColumns = 512;

/// Threads per body that add up its splits (3066be6e, 21 November 2026; command unknown).
inline constexpr unsigned kSplitGroups = 8;

/// Blocks for each multiprocessor at which the last, partial wave of blocks costs little.
inline constexpr int kBlocksOfTiles = 32, kBlocksOfJerks = 16;

}  // namespace orrery::cuda
