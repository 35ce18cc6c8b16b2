// SPDX-License-Identifier: MIT
// Constants of the engines on a CPU that were fitted by measurements: name of the engine, commit, machine and command,
// as far as they are known. The commits are of November 2026.
#pragma once
#include <array>
#include <cstdint>

#include "core/engines/tree_choice.hpp"

namespace orrery::cpu {

// `direct` (48cb2f10; machine and command unknown)

/// Columns of an item, which are summed before the next rows: 32 KiB of float bodies stay in the first-level cache.
inline constexpr std::uint64_t kDirectChunk = 2048;

// `half` (larger tiles since bad1a8d4; machine unknown):
//   orrery bench --engines half --backend cpu --sweep tile --bodies 512,2048,8192,12288,16384

/// Small numbers of bodies need small tiles, or there are too few pairs of tiles to distribute; large tiles cause less
/// memory traffic for the sums.
constexpr std::size_t fitted_half_tile(std::size_t count) {
    if (count <= 512) return 32;
    if (count <= 2048) return 64;
    if (count <= 8192) return 128;
    return count <= 12288 ? 256 : 512;
}

// `triplet` (f5433c28; machine and command unknown)

/// Few bodies need small tiles, or there are too few triples of tiles to distribute and too much padding.
constexpr std::size_t fitted_triplet_tile(std::size_t count) { return count <= 256 ? 16 : 32; }

// `tree` (4c75fa5b, b416e74d; machine unknown):
//   orrery bench plummer --engines tree --backend cpu --sweep theta --bodies 5000,20000,100000,1000000

inline constexpr int kTreeLeaf = 16, kTreeGroup = 64;  ///< bodies
/// Accuracy from which on monopoles are faster: on a CPU, walking costs more than evaluating.
inline constexpr double kMonopolesFrom = 2e-3;
/// Bodies of a cell below which a linear scan is faster than a binary search (4c75fa5b; command unknown).
inline constexpr std::size_t kSearchFrom = 128;
/// If less than this fraction of all bodies is due, the positions in the last tree are updated instead of rebuilding it
/// (07c1bca0; command unknown).
inline constexpr std::uint64_t kRebuildFrom = 4;

// `fmm` (7f562130): errors of the bodies listed in bench/results/README.md, orders by the times of 100 000 bodies on
// one thread of an EPYC with AVX-512:
//   orrery bench SCENE --engines fmm --backend cpu --bodies N --order P --alpha α

inline constexpr auto kFmmOrders = std::to_array<FmmOrder>({
    {1, 1e9, {1.7e-1, 1.1e-1, 5.6e-2, 2.0e-2, 6.9e-4, 1.6e-5}, 0.2},
    {2, 1e9, {4.4e-2, 2.6e-2, 1.1e-2, 4.2e-3, 8.0e-4, 3.2e-5}, 0.068},
    {3, 4e-3, {1.9e-2, 1.1e-2, 3.5e-3, 1.1e-3, 2.9e-4, 3.6e-5}, 0.031},
    {4, 1.5e-3, {8.4e-3, 5.1e-3, 1.5e-3, 4.4e-4, 1.0e-4, 1.6e-5}, 0.015},
    {5, 4e-4, {4.4e-3, 2.8e-3, 8.1e-4, 1.9e-4, 4.4e-5, 7.9e-6}, 0.009},
    {6, 6e-5, {2.1e-3, 1.5e-3, 4.6e-4, 9.1e-5, 2.0e-5, 4.0e-6}, 0.0055},
    {8, 0, {5.9e-4, 5.4e-4, 1.9e-4, 2.9e-5, 4.1e-6, 1.3e-6}, 0.002},
});
inline constexpr FmmFit kFmmFit{
    .orders = kFmmOrders,
    .fall = {.from = 1, .to = 1, .by_alpha = {}},
    .leaf = 64,
    .good_for_most = 5,
};
/// θ of the pass that estimates accelerations when there are none to compare with, and its upper bound with the
/// relative criterion: expansions must converge.
inline constexpr double kEstimateTheta = 0.8, kMostTheta = 0.9;

}  // namespace orrery::cpu
