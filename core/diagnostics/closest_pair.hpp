// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

struct ClosestPair {
    std::uint32_t first = 0, second = 0;  ///< numbers of the bodies, first < second
    double distance = 0;                  ///< a length
};

/// The two bodies nearest to each other, exactly; none of fewer than two bodies. Of several pairs equally near it is
/// one of them, the same one on any number of threads. Coordinates must be finite.
///
/// Neighbours along a Morton curve of 42 bits per axis bound the distance from above by some δ. Cells with sides of at
/// least δ then hold at most 64 bodies each, as consecutive bodies in an octant narrower than δ would be nearer than
/// that; so a body is compared with those of its cell and, where it lies within δ of the border, of the cells behind.
/// O(N log N) for the sort, O(N) for the rest, whatever the distribution; bodies that share a cell of the finest level,
/// 2^-42 of the whole box, are compared each with each.
std::optional<ClosestPair> closest_pair(Pool& pool, std::span<const Vec4d> bodies);

}  // namespace orrery
