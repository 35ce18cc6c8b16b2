// SPDX-License-Identifier: MIT
// Constants of `fmm` on a GPU that were fitted by measurements on an NVIDIA H200 (CUDA 13.0, November 2026; tables in
// bench/results/h200, method in docs/measuring.md). To repeat one, compare the medians and errors of
//   orrery bench plummer --engines fmm --backend cuda --bodies 65536,1048576,16777216
// bench/results/README.md lists the bodies of the table of orders.
#pragma once
#include <array>
#include <cstdint>

#include "core/engines/tree_choice.hpp"

namespace orrery::cuda {

/// On a device, expansions of low orders take hardly less time than order 3, and registers hold no order above 6.
inline constexpr auto kFmmOrders = std::to_array<FmmOrder>({
    {3, 2.5e-3, {3.0e-2, 2.6e-2, 6.4e-3, 1.5e-3, 4.5e-4, 6.8e-5}, 0.039},
    {4, 3e-4, {1.6e-2, 1.3e-2, 3.6e-3, 6.5e-4, 7.5e-5, 1.3e-5}, 0.02},
    {5, 3e-4, {8.0e-3, 6.2e-3, 2.3e-3, 3.7e-4, 3.9e-5, 4.4e-6}, 0.0125},
    {6, 0, {3.6e-3, 3.3e-3, 1.6e-3, 2.5e-4, 3.3e-5, 3.8e-6}, 0.0085},
});
inline constexpr FmmFit kFmmFit{
    .orders = kFmmOrders,
    .fall = {.from = 1e5, .to = 1.6e7, .by_alpha = {0.33, 0.33, 0.28, 0.13, 0, 0}},
    .leaf = 16,
    .good_for_most = 4,
};

inline constexpr std::uint32_t kFmmGroup = 32, kFmmCluster = 1024;  ///< bodies
inline constexpr unsigned kTeam = 4;                                ///< warps per block
/// Below this number of groups all warps of a block share a target, because there are too few for all warps.
/// bench/results/h200/fmm_faster.csv: 8474 groups gain 0.2 ms, 33 755 lose 0.4.
inline constexpr std::uint64_t kFewGroups = 20000;
inline constexpr std::uint64_t kGroupsAtOnce = 1 << 22;   ///< whose near lists are in memory: about 2 GB
inline constexpr std::uint64_t kMostLeaves = 50'000'000;  ///< bodies over this: least bodies of a leaf

/// Blocks per multiprocessor for which registers of the far field must leave room.
constexpr int far_blocks_at_once(bool single, int order) {
    if (!single) return order < 5 ? 2 : 1;
    return order == 3 ? 6 : order == 4 ? 4 : order == 5 ? 3 : 2;
}

/// θ of the pass that estimates accelerations when there are none to compare with.
inline constexpr double kEstimateTheta = 0.8;
/// Bounds of θ with the relative criterion, for groups and clusters: the expansion of a cluster, and so its error,
/// affects many bodies.
inline constexpr double kMostTheta = 0.9, kMostClusterTheta = 0.8;

}  // namespace orrery::cuda
