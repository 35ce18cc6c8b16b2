// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// Groups found on a device, and the time taken.
struct DeviceFriends {
    std::vector<std::uint32_t> group_of;
    double seconds = 0;  ///< on the device, from bodies in its memory to groups in its memory; without allocations
};

/// friends_of_friends() on the first CUDA device: the same groups, for bodies in the given precision. Throws Error like
/// that function, Error{kUsage} if the bodies extend over more than two million linking lengths, and
/// Error{kEnvironment} without a device or enough memory on it. `repeat`: number of runs; the time is their median.
DeviceFriends friends_on_device(std::span<const Vec4f> bodies, double link, double period = 0, int repeat = 1);
DeviceFriends friends_on_device(std::span<const Vec4d> bodies, double link, double period = 0, int repeat = 1);

}  // namespace orrery
