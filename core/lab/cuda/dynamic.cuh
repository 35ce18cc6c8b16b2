// SPDX-License-Identifier: MIT
// Dynamic parallelism: a triangle that launches its halves from the device. Apart from all else, since it is compiled
// and linked with the device's runtime.
#pragma once
#include <cstdint>

#include "core/lab/cuda/marks.cuh"
#include "core/lab/kernel.hpp"

namespace orrery::lab {

struct WriteSum {
    std::uint32_t* last;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const { *last = i + j; }
};
struct MarkPair {
    MarkSink mark;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const { mark(triangular(i) + j); }
};

/// All pairs, by launches of which only the first is the host's.
void launch_dynamic(LabSize size, std::uint32_t rows, cudaStream_t stream, const WriteSum& work);
void launch_dynamic(LabSize size, std::uint32_t rows, cudaStream_t stream, const MarkPair& work);

}  // namespace orrery::lab
