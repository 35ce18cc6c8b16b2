// SPDX-License-Identifier: MIT
// Numbers that `tree-locks` lives by: places in the octree, links, room. Pure, of integers, the same on host and
// device.
#pragma once
#include <cstdint>

#include "core/base/bits.hpp"
#include "core/base/hd.hpp"
#include "core/physics/keys.hpp"

namespace orrery::cuda {

/// The root is at level 0. A cell of this level is one cell of the finest grid: it is not divided, but a bag of any
/// number of bodies.
inline constexpr int kBagLevel = kKeyLevels;

// A link says what one of a cell's eight parts holds. From 0 on it is a body, from the number of bodies on a cell.
inline constexpr std::int32_t kEmpty = -1;
inline constexpr std::int32_t kLocked = -2;  ///< a thread is about to put a cell where a body was
inline constexpr std::uint64_t kMostLinks = 0x7fffffff;

/// Which of the eight parts of its cell at `level` (below kBagLevel) a place lies in.
ORRERY_HD constexpr unsigned octant_of(GridPoint at, int level) {
    const int bit = kKeyLevels - 1 - level;
    return (at.x >> bit & 1) << 2 | (at.y >> bit & 1) << 1 | (at.z >> bit & 1);
}

/// Level of the smallest cell that holds both; kBagLevel for places that no cell parts.
ORRERY_HD inline int level_of_both(GridPoint a, GridPoint b) {
    return kKeyLevels - bit_width((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z));
}

/// Corner with the lowest coordinates of the cell at `level` that holds `at`, in finest cells.
ORRERY_HD constexpr GridPoint corner_of(GridPoint at, int level) {
    const int shift = kKeyLevels - level;
    return {at.x >> shift << shift, at.y >> shift << shift, at.z >> shift << shift};
}

/// An opened cell leaves the stack and puts at most eight in its place. Bags are not put there.
inline constexpr int kStackRoom = 7 * kBagLevel + 1;

/// A body in a bag, so that sorting these numbers brings the bodies of a bag together, in the order of bodies.
ORRERY_HD constexpr std::uint64_t bag_entry(std::uint32_t cell, std::uint32_t body) {
    return std::uint64_t{cell} << 32 | body;
}
ORRERY_HD constexpr std::uint32_t cell_of_entry(std::uint64_t entry) { return static_cast<std::uint32_t>(entry >> 32); }
ORRERY_HD constexpr std::uint32_t body_of_entry(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }

/// Room for cells to begin with. A tree of scattered bodies has fewer cells than bodies; one of close pairs has up to
/// kBagLevel for each body.
constexpr std::uint64_t first_room(std::uint64_t bodies) { return bodies < 64 ? 64 : bodies; }
/// After a build that asked for `wanted` cells in vain. What found no room was left out with all beneath, so that the
/// true number may be higher still.
constexpr std::uint64_t more_room(std::uint64_t room, std::uint64_t wanted) {
    return wanted > 2 * room ? wanted : 2 * room;
}

}  // namespace orrery::cuda
