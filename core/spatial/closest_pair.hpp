// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

struct ClosestPair {
    std::uint32_t first = 0, second = 0;  ///< indices of the bodies, first < second
    double distance = 0;                  ///< a length
};

/// The closest pair of bodies, exactly; empty for fewer than two bodies. If several pairs are equally close, one of
/// them is returned, the same one for any number of threads. Coordinates must be finite.
///
/// Neighbours along a Morton curve of 42 bits per axis bound the distance from above by some δ. Cells with sides of at
/// least δ then hold at most 64 bodies each, as consecutive bodies in an octant narrower than δ would be nearer than
/// that; so a body is compared with those in its cell and, if it lies within δ of the border, in the neighbouring
/// cells. O(N log N) for the sort, O(N) for the rest, whatever the distribution; bodies in the same cell of the finest
/// level, 2^-42 of the whole box, are compared pairwise.
std::optional<ClosestPair> closest_pair(Pool& pool, std::span<const Vec4d> bodies);

}  // namespace orrery
