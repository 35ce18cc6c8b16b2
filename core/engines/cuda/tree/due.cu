// SPDX-License-Identifier: MIT
// Stream compaction of the due bodies of block time steps into tree order.
#include "core/engines/cuda/tree/due.cuh"

#include <cub/device/device_scan.cuh>

#include "core/cuda/launch.cuh"

namespace orrery::cuda {
namespace {

__global__ void mark_due(DueView<Device> due, std::uint8_t* is_due) {
    const std::uint64_t k = thread_index();
    if (k < due.count) is_due[due.rows[k]] = 1;
}

/// Writes one element more than there are bodies, so that the exclusive sum ends with the total.
__global__ void mark_places(const std::uint8_t* is_due, const std::uint32_t* order, std::uint64_t count,
                            std::uint32_t* marks) {
    const std::uint64_t i = thread_index();
    if (i <= count) marks[i] = i < count ? is_due[order[i]] : 0;
}

__global__ void write_rows(const std::uint32_t* before, std::uint64_t count, std::uint32_t* rows) {
    const std::uint64_t i = thread_index();
    if (i < count && before[i + 1] > before[i]) rows[before[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace

void DueRows::pick(DueView<Device> due, const std::uint32_t* order, std::uint64_t count, cudaStream_t stream) {
    if (rows_.size() < count) {
        is_due_ = {}, before_ = {}, rows_ = {};
        is_due_ = DeviceBuffer<std::uint8_t>{count};
        before_ = DeviceBuffer<std::uint32_t>{count + 1};
        rows_ = DeviceBuffer<std::uint32_t>{count};
    }
    check(cudaMemsetAsync(is_due_.data(), 0, count, stream), "clearing");
    launch("mark_due", linear(due.count), stream, mark_due, due, is_due_.data());
    launch("mark_places", linear(count + 1), stream, mark_places, is_due_.data(), order, count, before_.data());
    const auto sum = [&](void* memory, std::size_t& bytes) {
        check(cub::DeviceScan::ExclusiveSum(memory, bytes, before_.data(), before_.data(), static_cast<int>(count + 1),
                                            stream),
              "counting the bodies that are due");
    };
    std::size_t bytes = 0;
    sum(nullptr, bytes);
    if (scratch_.size() < bytes) scratch_ = {}, scratch_ = DeviceBuffer<std::byte>{bytes};
    sum(scratch_.data(), bytes);
    launch("write_rows", linear(count), stream, write_rows, before_.data(), count, rows_.data());
}

}  // namespace orrery::cuda
