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

/// Throws like friends_of_friends() for an invalid link.
void require_link(double link, double period);
/// Throws Error{kUsage}: the bodies spread over more cells than can be numbered. `where`: " on a device", or empty.
[[noreturn]] void link_is_too_short(double link, double apart, const char* where);

}  // namespace orrery
