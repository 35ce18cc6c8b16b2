// SPDX-License-Identifier: MIT
// A bit for each pair or triple: whether a form meets all of them, and none twice.
#pragma once
#include "core/cuda/device_buffer.hpp"

namespace orrery::lab {

/// Where a kernel marks what it meets.
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
        std::uint64_t twice, met;  ///< meetings of what was met before; different items met
    };

    /// Memory for them is had at the first call.
    MarkSink clear(std::uint64_t items, cudaStream_t stream);
    /// Waits for the stream.
    Found count(cudaStream_t stream) const;

private:
    cuda::DeviceBuffer<std::uint32_t> d_bits_;
    cuda::DeviceBuffer<unsigned long long> d_counts_{2};  // twice, met
};

}  // namespace orrery::lab
