// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// Two spheres that touch on their way from one state to the next.
struct Contact {
    std::uint32_t first = 0, second = 0;  ///< indices of the bodies, first < second
    double when = 0;  ///< fraction of the step after which they touch, 0 … 1; 0: they touched before
    friend auto operator<=>(const Contact&, const Contact&) = default;
};

/// Spheres before and after a step, in the same order. In between each moves uniformly on a straight line.
struct SweptBodies {
    std::span<const Vec4d> before, now;  ///< x, y, z a length; w = mass
    std::span<const double> radius;      ///< a length
    /// 1 for bodies that search for others; empty: all do. Two bodies that do not search have no contact.
    std::span<const std::uint8_t> looks = {};
};

/// All contacts of a step except those of two massless bodies, sorted by time, then by index; independent of the number
/// of threads. Uses a tree of bounding boxes of the swept spheres along the Hilbert curve: O(N log N) while the boxes
/// are small compared with the system. Positions must be finite. Throws Error{kUsage} if there are more than
/// kMostContacts: the spheres then overlap everywhere.
std::vector<Contact> contacts(Pool& pool, const SweptBodies& bodies);

inline constexpr std::size_t kMostContacts = std::size_t{1} << 24;

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
