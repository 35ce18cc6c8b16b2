// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/cuda/device_buffer.hpp"
#include "core/engines/views.hpp"

namespace orrery::cuda {

/// Finds the bodies with individual steps that are due next.
class DueBodiesSearch {
public:
    /// Finds the earliest end of a step among `count` bodies, which began their steps at `time` with lengths by
    /// `level`, and the bodies due then. Waits. Returns that time.
    std::uint64_t find(const std::uint64_t* time, const std::uint8_t* level, std::size_t count, cudaStream_t stream);

    DueView<Device> rows() const { return {due_.data(), count_}; }  ///< ascending
    int finest() const { return finest_; }                          ///< the highest level
    /// The rows 0, 1, … count − 1.
    DueView<Device> all_bodies(std::size_t count, cudaStream_t stream);

private:
    std::size_t count_ = 0;
    int finest_ = 0;
    DeviceBuffer<std::uint32_t> all_bodies_, due_;
    DeviceBuffer<unsigned long long> found_;  // the next time, the number of bodies due then, and the highest level
    DeviceBuffer<std::byte> scratch_;
};

}  // namespace orrery::cuda
