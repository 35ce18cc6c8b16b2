// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstdint>

#include "core/base/hd.hpp"

namespace orrery {

/// Maps are exact up to here: half of what a Tile could name, so that blocks beyond the last row do not wrap around.
inline constexpr std::uint32_t kMostRows = (std::uint32_t{1} << 31) - 1;

/// Up to this many rows, indices and their intermediate products fit 32 bits, in which GPUs reckon several times
/// faster.
inline constexpr std::uint32_t kNarrowRows = 32768;

/// Tiles in rows 0 … row−1, in the width of its argument. `triangular` of map.hpp without a branch: row² must fit.
template <std::unsigned_integral U>
ORRERY_HD constexpr U tiles_before(U row) {
    return row * (row + 1) / 2;
}

/// The row of tile `k` when tiles are counted along rows. A root proposed `row`, integers decide: exact from any
/// proposal within a factor of two. Rows grow, so one Newton step up lands on the row or beyond, and Newton steps down
/// never pass it. A good proposal costs two comparisons and no division.
template <std::unsigned_integral U>
ORRERY_HD constexpr U row_of(U k, U row) {
    if (tiles_before(row + 1) <= k) row += (k - tiles_before(row)) / (row + 1);
    while (tiles_before(row) > k) row -= (tiles_before(row) - k + row - 1) / row;
    return row;
}

}  // namespace orrery
