// SPDX-License-Identifier: MIT
// One bit per pair or triple, to check that a form visits each of them exactly once.
#pragma once
#include "core/cuda/device_buffer.hpp"

namespace orrery::lab {

/// Device-side view with which a kernel marks the visited items.
struct MarkSink {
    std::uint32_t* bits;
    unsigned long long* twice;
    __device__ void operator()(std::uint64_t item) const {
        const std::uint32_t bit = 1u << (item % 32);
        if (atomicOr(bits + item / 32, bit) & bit) atomicAdd(twice, 1ull);
    }
};

class Marks {
public:
    struct Found {
        std::uint64_t twice, visited;  ///< repeated visits; different items visited
    };

    /// Allocates memory on the first call.
    MarkSink clear(std::uint64_t items, cudaStream_t stream);
    /// Waits for the stream.
    Found count(cudaStream_t stream);

private:
    cuda::DeviceBuffer<std::uint32_t> d_bits_;
    cuda::DeviceBuffer<unsigned long long> d_counts_{2};  // repeated, visited
};

}  // namespace orrery::lab
