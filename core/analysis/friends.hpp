// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// Friends of friends (Davis, Efstathiou, Frenk & White 1985, ApJ 292, 371): bodies whose distance is at most `link`
/// belong together, and so do their friends. Of each body the least index in its group. `period` > 0: the bodies lie in
/// a periodic cube of this edge, and distances are the shortest ones; wherever they lie they are taken to within it.
/// Exact: the groups are those of all pairs. Empty when stopped. Throws Error{kUsage} for a link that is not above 0,
/// not finite, or not below half of the period, and for positions that are not finite.
std::vector<std::uint32_t> friends_of_friends(Pool& pool, std::span<const Vec4d> bodies, double link, double period = 0,
                                              const std::stop_token& stop = {});

/// Throws as friends_of_friends() does of a link.
void require_link(double link, double period);
/// Throws Error{kUsage}: the cells of bodies that lie so far apart have no numbers. `where`: " on a device", or
/// nothing.
[[noreturn]] void link_is_too_short(double link, double apart, const char* where);

}  // namespace orrery
