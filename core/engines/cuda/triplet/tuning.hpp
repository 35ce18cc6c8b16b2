// SPDX-License-Identifier: MIT
// Constants of `triplet` on a GPU (f5433c28, 21 November 2026; card unknown). To repeat one, compare the medians of
//   orrery bench argon-cluster --engines triplet --backend cuda --bodies 1024,4096
#pragma once

namespace orrery::cuda {

inline constexpr unsigned kTripletSide = 32, kTripletThreads = 64;  ///< bodies on a side of a tile, threads per block

/// Blocks per multiprocessor for which registers must leave room.
constexpr int triplet_blocks_at_once(bool single, bool split) { return single && !split ? 8 : 4; }

}  // namespace orrery::cuda
