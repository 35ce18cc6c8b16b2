// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// Distances that a device found, and what that took.
struct DeviceDistances {
    std::vector<float> distances;
    double seconds = 0;  ///< of the device, from places in its memory to distances in its memory; without allocations
};

/// Neighbours::find() on the first CUDA device. Throws Error{kEnvironment} where there is none, or not enough memory on
/// it. `repeat`: how often it is done; the time is the median. `parts`: of the search, one after the other.
DeviceDistances neighbours_on_device(std::span<const Vec4f> places, int k, int repeat = 1, std::size_t parts = 1);

}  // namespace orrery
