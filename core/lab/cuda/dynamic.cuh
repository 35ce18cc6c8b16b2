// SPDX-License-Identifier: MIT
// Dynamic parallelism: a triangle launches its halves from the device. In a separate file, because it is compiled and
// linked with the device runtime.
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

/// All pairs; only the first launch is made by the host.
void launch_dynamic(LabSize size, std::uint32_t rows, cudaStream_t stream, const WriteSum& work);
void launch_dynamic(LabSize size, std::uint32_t rows, cudaStream_t stream, const MarkPair& work);

}  // namespace orrery::lab
