// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/vec.hpp"

namespace orrery {

/// Neighbours of bodies that lie in a device's memory. What it allocates is kept for the next time.
class DeviceNeighbours {
public:
    DeviceNeighbours();
    ~DeviceNeighbours();
    DeviceNeighbours(const DeviceNeighbours&) = delete;
    DeviceNeighbours& operator=(const DeviceNeighbours&) = delete;
    /// Enqueues writing the distance of each of `count` places to the k-th nearest other one, as Neighbours::find()
    /// gives it, and, unless `order` is null, the numbers of all places along the curve of the tree engines, so that
    /// those that follow one another are near one another. All pointers are of the device. `count` is at most 2³¹.
    void find(const Vec4f* places, std::size_t count, int k, float* distances, std::uint32_t* order,
              cudaStream_t stream);
    /// The same in parts, with other work in between: enqueues copying and sorting the places, as they are, and writing
    /// their order; returns how many leaves they make. find_in() then enqueues the search of the leaves first …
    /// last − 1, each of 32 bodies.
    std::size_t begin(const Vec4f* places, std::size_t count, int k, std::uint32_t* order, cudaStream_t stream);
    void find_in(std::size_t first, std::size_t last, float* distances, cudaStream_t stream);

private:
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

}  // namespace orrery
