// SPDX-License-Identifier: MIT
// Integer formulas of `tree-locks`: positions in the octree, links, room. Pure functions with the same results on host
// and device.
#pragma once
#include <cstdint>

#include "core/base/bits.hpp"
#include "core/base/hd.hpp"
#include "core/spatial/keys.hpp"

namespace orrery::cuda {

/// The root is at level 0. A cell of this level is one cell of the finest grid: it is not subdivided, but is a bag of
/// any number of bodies.
inline constexpr int kBagLevel = kKeyLevels;

// A link is the content of one of a cell's eight octants: bodies are numbered from 0, cells from the number of bodies
// on.
inline constexpr std::int32_t kEmpty = -1;
inline constexpr std::int32_t kLocked = -2;  ///< a thread is about to replace a body by a cell
inline constexpr std::uint64_t kMostLinks = 0x7fffffff;

/// The octant in which a position lies within its cell at `level` (below kBagLevel).
ORRERY_HD constexpr unsigned octant_of(GridPoint at, int level) {
    const int bit = kKeyLevels - 1 - level;
    return (at.x >> bit & 1) << 2 | (at.y >> bit & 1) << 1 | (at.z >> bit & 1);
}

/// Level of the smallest cell that contains both positions; kBagLevel if no cell separates them.
ORRERY_HD inline int level_of_both(GridPoint a, GridPoint b) {
    return kKeyLevels - bit_width((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z));
}

/// Lowest corner of the cell at `level` that contains `at`, in units of the finest grid.
ORRERY_HD constexpr GridPoint corner_of(GridPoint at, int level) {
    const int shift = kKeyLevels - level;
    return {at.x >> shift << shift, at.y >> shift << shift, at.z >> shift << shift};
}

/// An opened cell leaves the stack and pushes at most eight. Bags are not pushed.
inline constexpr int kStackRoom = 7 * kBagLevel + 1;

/// Sort key of a body in a bag: sorting groups the bodies by bag, and orders them by index within a bag.
ORRERY_HD constexpr std::uint64_t bag_entry(std::uint32_t cell, std::uint32_t body) {
    return std::uint64_t{cell} << 32 | body;
}
ORRERY_HD constexpr std::uint32_t cell_of_entry(std::uint64_t entry) { return static_cast<std::uint32_t>(entry >> 32); }
ORRERY_HD constexpr std::uint32_t body_of_entry(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }

/// Initial room for cells. A tree of scattered bodies has fewer cells than bodies; one of close pairs has up to
/// kBagLevel per body.
constexpr std::uint64_t first_room(std::uint64_t bodies) { return bodies < 64 ? 64 : bodies; }
/// Room for cells after a build that needed `wanted` cells and failed. Cells without room were left out with everything
/// below them, so that the true number may be even higher.
constexpr std::uint64_t more_room(std::uint64_t room, std::uint64_t wanted) {
    return wanted > 2 * room ? wanted : 2 * room;
}

}  // namespace orrery::cuda
