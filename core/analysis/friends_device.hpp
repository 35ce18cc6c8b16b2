// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// Groups that a device found, and what that took.
struct DeviceFriends {
    std::vector<std::uint32_t> group_of;
    double seconds = 0;  ///< of the device, from bodies in its memory to groups in its memory; without allocations
};

/// friends_of_friends() on the first CUDA device: the same groups, of bodies in the precision given. Throws Error as
/// that does, Error{kUsage} where the bodies lie more than two million linking lengths apart, and Error{kEnvironment}
/// where there is no device or not enough memory on it. `repeat`: how often it is done; the time is the median.
DeviceFriends friends_on_device(std::span<const Vec4f> bodies, double link, double period = 0, int repeat = 1);
DeviceFriends friends_on_device(std::span<const Vec4d> bodies, double link, double period = 0, int repeat = 1);

}  // namespace orrery
