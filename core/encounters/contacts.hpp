// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// Two spheres that touch on the way from one state to the next.
struct Contact {
    std::uint32_t first = 0, second = 0;  ///< indices of the bodies, first < second
    double when = 0;                      ///< part of the step after which they touch, 0 … 1; 0: they did before
    friend auto operator<=>(const Contact&, const Contact&) = default;
};

/// Spheres before and after a step, in one order. Between the two each moves evenly along a straight line.
struct SweptBodies {
    std::span<const Vec4d> before, now;  ///< x, y, z a length; w = mass
    std::span<const double> radius;      ///< a length
    /// Of a body that looks for others; empty: all do. Two that do not look do not meet.
    std::span<const std::uint8_t> looks = {};
};

/// All contacts of a step but those of two bodies without mass, by the time at which they touch, then by index: the
/// same on any number of threads. A tree of boxes round the swept spheres along the Hilbert curve, O(N log N) as long
/// as boxes are small beside the whole. Places must be finite. Throws Error{kUsage} for more than kMostContacts: the
/// spheres then overlap everywhere.
std::vector<Contact> contacts(Pool& pool, const SweptBodies& bodies);

inline constexpr std::size_t kMostContacts = std::size_t{1} << 24;

}  // namespace orrery
