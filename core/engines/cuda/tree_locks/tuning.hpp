// SPDX-License-Identifier: MIT
// Constants of `tree-locks` on a GPU (3f368d2b, 21 November 2026; card unknown). To repeat one, compare the medians of
//   orrery bench plummer --engines tree-locks --backend cuda --theta 0.5 --bodies 10000,100000,1000000
#pragma once

namespace orrery::cuda {

/// Threads per block of the build, and maximum number of blocks that find the bounding box.
inline constexpr unsigned kLocksThreads = 256, kLocksBoxBlocks = 1024;

/// Bodies per block of the walk, which is a work item of the engine.
inline constexpr unsigned kLocksBlock = 128;

}  // namespace orrery::cuda
