// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/vec.hpp"

namespace orrery {

/// Neighbours of bodies in device memory. Keeps its allocations for the next call.
class DeviceNeighbours {
public:
    DeviceNeighbours();
    ~DeviceNeighbours();
    DeviceNeighbours(const DeviceNeighbours&) = delete;
    DeviceNeighbours& operator=(const DeviceNeighbours&) = delete;
    /// Enqueues writing the distance of each of `count` positions to the k-th nearest other one, as Neighbours::find(),
    /// and, unless `order` is null, the indices sorted along the curve of the tree engines, so that consecutive ones
    /// are close to each other. All pointers are device memory; `count` is at most 2³¹.
    void find(const Vec4f* places, std::size_t count, int k, float* distances, std::uint32_t* order,
              cudaStream_t stream);
    /// Same in parts, with other work in between: enqueues copying and sorting the positions and writing their order;
    /// returns the number of leaves. find_in() then enqueues the search of leaves first … last − 1, of 32 bodies each.
    std::size_t begin(const Vec4f* places, std::size_t count, int k, std::uint32_t* order, cudaStream_t stream);
    void find_in(std::size_t first, std::size_t last, float* distances, cudaStream_t stream);

private:
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

}  // namespace orrery
