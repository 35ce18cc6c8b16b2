// SPDX-License-Identifier: MIT
// Reductions over all 32 lanes of a warp; every lane must take part. One instruction each from compute capability 8.0
// on.
#pragma once
#include <cstdint>

namespace orrery::cuda {

/// The sum of the values of all lanes, in every lane.
__device__ inline std::uint32_t sum_of_warp(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, value);
#else
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(~0u, value, lanes);
    return value;
#endif
}

/// The bitwise OR over all lanes, in every lane.
__device__ inline std::uint32_t bits_of_warp(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(~0u, value);
#else
    for (int lanes = 16; lanes > 0; lanes /= 2) value |= __shfl_xor_sync(~0u, value, lanes);
    return value;
#endif
}

}  // namespace orrery::cuda
