// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// Friends of friends (Davis, Efstathiou, Frenk & White 1985, ApJ 292, 371): bodies at most `link` apart belong to the
/// same group, and so do their friends. Returns for each body the smallest index in its group. `period` > 0: the bodies
/// are in a periodic cube with this edge (positions are folded into it), and distances are those of the nearest images.
/// Exact: the groups are those of all pairs. Empty if stopped. Throws Error{kUsage} for a link that is not above 0, not
/// finite, or not below half of the period, and for positions that are not finite.
std::vector<std::uint32_t> friends_of_friends(Pool& pool, std::span<const Vec4d> bodies, double link, double period = 0,
                                              const std::stop_token& stop = {});

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

/// Factor by which the diagonal of a cell stays below the link, to allow for rounding of cell positions.
inline constexpr double kFriendMargin = 1 - 1e-3;

/// Throws like friends_of_friends() for an invalid link.
void require_link(double link, double period);
/// Throws Error{kUsage}: the bodies spread over more cells than can be numbered. `where`: " on a device", or empty.
[[noreturn]] void link_is_too_short(double link, double apart, const char* where);

}  // namespace orrery
