// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// Distances found on a device, and the time it took.
struct DeviceDistances {
    std::vector<float> distances;
    double seconds = 0;  ///< device time from positions to distances in device memory, without allocations
};

/// Neighbours::find() on the first CUDA device. Throws Error{kEnvironment} if there is no device or too little memory.
/// `repeat`: number of runs; the time is their median. `parts`: number of parts into which the search is split.
DeviceDistances neighbours_on_device(std::span<const Vec4f> places, int k, int repeat = 1, std::size_t parts = 1);

}  // namespace orrery
