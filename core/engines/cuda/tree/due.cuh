// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/cuda/device_buffer.hpp"
#include "core/engines/views.hpp"

namespace orrery::cuda {

/// The due bodies, in tree order.
class DueRows {
public:
    /// Enqueues the selection. `order`: the body at each of the `count` positions of the tree.
    void pick(DueView<Device> due, const std::uint32_t* order, std::uint64_t count, cudaStream_t stream);
    const std::uint32_t* before() const { return before_.data(); }  ///< number of due bodies before each position
    const std::uint32_t* rows() const { return rows_.data(); }      ///< their positions, ascending

private:
    DeviceBuffer<std::uint8_t> is_due_;  // by body
    DeviceBuffer<std::uint32_t> before_, rows_;
    DeviceBuffer<std::byte> scratch_;
};

}  // namespace orrery::cuda
