// SPDX-License-Identifier: MIT
// Constants of the tree on a GPU that were fitted by measurements on an NVIDIA H200 (CUDA 13.0, November 2026; tables
// in bench/results/h200 and h200_x2). To repeat one, change it and compare the medians of
//   orrery bench plummer --engines tree --backend cuda --bodies 16384,65536,262144,1048576,4194304,16777216
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace orrery::cuda {

/// Bodies of a leaf, and the accuracy from which on monopoles are faster than quadrupoles.
inline constexpr int kTreeLeaf = 16;
inline constexpr double kMonopolesFrom = 4.5e-4;

/// α for a relative RMS error of the forces on `count` bodies of a Plummer sphere: broken power laws in the error.
/// Monopoles become more accurate with the number of bodies, which then fill cells more evenly. Measured by
/// `orrery bench plummer --engines tree --backend cuda --sweep theta`; see docs/measuring.md.
inline double measured_alpha(double accuracy, int order, std::uint64_t count) {
    if (order == 2) return 1.96e-3 * std::pow(accuracy / 2e-4, accuracy < 2e-4 ? 1.55 : 1.25);
    const double millions = std::clamp(static_cast<double>(count) / (1 << 20), 1e-3, 16.0);
    const double bent = std::min(accuracy, 3e-3);
    return 4.55e-3 * std::pow(bent / 1e-3, bent < 1e-3 ? 1.88 : 1.55) * std::pow(accuracy / bent, 0.9) *
           std::pow(millions, millions < 1 ? 0.28 : 0.19);
}

/// Bodies of a group. Small groups avoid long walks at the end when there are few groups; large groups share more of
/// their walks.
inline int group_for(int order, std::uint64_t count) { return order == 1 && count < 3'000'000 ? 32 : 64; }

/// A cluster of this many groups fills their lanes almost completely; larger ones would enlarge the groups' boxes.
inline constexpr std::uint32_t kGroupsOfCluster = 32;

/// With few bodies, many warps share a group; with many bodies there are groups for all warps, and fewer warps per
/// group wait less for each other.
inline constexpr int kWarpsOfFew = 4, kWarpsOfMany = 2;
/// Number of bodies from which on a walk has kWarpsOfMany warps instead of kWarpsOfFew.
inline constexpr std::uint64_t kManyBodies = 500'000;

/// Groups of the deepest levels come first and those of large cells last. If there are few groups, this fraction of
/// them, which has the long walks of the outermost halo, is moved to the front, so that it does not delay the end:
/// 0.275 instead of 0.343 ms for 65 536 bodies (dc94ccdb).
inline constexpr std::uint32_t kOuterShare = 16;

/// Number of bodies from which on ranks divide the construction of the tree, not only its walk: for fewer, sorting and
/// building everything on each rank is faster. Measured on two H200: bench/results/h200_x2/divided.csv.
inline constexpr std::uint64_t kManyToDivide = 1 << 23;
/// Ratio of the slowest rank to the mean that triggers new domains, and evaluations between two checks. Set with the
/// distributed tree on two H200 (dc94ccdb, 23 November 2026); command unknown.
inline constexpr double kUnevenRanks = 1.01;
inline constexpr std::uint64_t kBalanceEvery = 8;

/// If less than this fraction of all bodies is due, the positions in the last tree are updated instead of rebuilding
/// it.
inline constexpr std::uint64_t kRebuildFrom = 4;

/// Maximum number of bodies per thread of the cooperative sort: with more, CUB's sort is as fast.
inline constexpr unsigned kCooperativeRounds = 4;

/// Warps per multiprocessor for which registers of the walk must leave room: more warps hide the latency of memory and
/// barriers, until values are recomputed for lack of registers. 1: the compiler's choice.
constexpr int walk_warps_at_once(bool single, int bodies, int order, bool split) {
    return single && bodies <= 2 && !split ? (order == 1 ? 36 : 24) : 1;
}

}  // namespace orrery::cuda
