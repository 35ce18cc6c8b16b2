// SPDX-License-Identifier: MIT
// The work of the dummy kernel on a pair, and sums over a warp.
#pragma once
#include <cstdint>

#include "core/cuda/launch.cuh"
#include "core/lab/cuda/marks.cuh"
#include "core/maps/map.hpp"

namespace orrery::lab {

struct WriteSum {
    std::uint32_t* last;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const { *last = i + j; }
};
struct MarkPair {
    MarkSink mark;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const { mark(triangular(i) + j); }
};

/// Adds the values of all lanes of a full warp. Blocks must be one-dimensional.
__device__ inline void add_of_warp(std::uint32_t value, unsigned long long* total) {
    const std::uint32_t sum = cuda::sum_of_warp(value);
    if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(total, static_cast<unsigned long long>(sum));
}

}  // namespace orrery::lab
