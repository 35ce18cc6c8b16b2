// SPDX-License-Identifier: MIT
// Constants of `fmm` on a GPU that were fitted by measurements on an NVIDIA H200 (CUDA 13.0, November 2026; tables in
// bench/results/h200, method in docs/measuring.md). To repeat one, compare the medians and errors of
//   orrery bench plummer --engines fmm --backend cuda --bodies 65536,1048576,16777216
#pragma once
#include <cstdint>

namespace orrery::cuda {

inline constexpr std::uint32_t kFmmGroup = 32, kFmmCluster = 1024;  ///< bodies
inline constexpr std::uint64_t kFewGroups = 4096;                   ///< up to this number, four warps share a group

/// θ of the pass that estimates accelerations when there are none to compare with.
inline constexpr double kEstimateTheta = 0.8;
/// Bounds of θ with the relative criterion, for groups and clusters: the expansion of a cluster, and so its error,
/// affects many bodies.
inline constexpr double kMostTheta = 0.9, kMostClusterTheta = 0.8;

}  // namespace orrery::cuda
