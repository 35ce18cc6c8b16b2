// SPDX-License-Identifier: MIT
// Index arithmetic shared by the triangular maps: exact inversion of triangular numbers from an approximate root.
#pragma once
#include <concepts>
#include <cstdint>

#include "core/base/hd.hpp"

namespace orrery {

/// Maps are exact up to this many rows: half of the range of a Tile, so that blocks beyond the last row do not wrap
/// around.
inline constexpr std::uint32_t kMostRows = (std::uint32_t{1} << 31) - 1;

/// Up to this many rows, indices and their intermediate products fit 32 signed bits, in which GPUs compute several
/// times faster.
inline constexpr std::uint32_t kNarrowRows = 32768;

/// Tiles in rows 0 … row−1, in the width of its argument. `triangular` of map.hpp without a branch: row² must fit.
template <std::unsigned_integral U>
ORRERY_HD constexpr U tiles_before(U row) {
    return row * (row + 1) / 2;
}

/// The row of tile `k` in row order. `row` is the proposal of a root; integer arithmetic makes it exact from any
/// proposal within a factor of two. The function is convex, so one Newton step from below reaches the row or beyond,
/// and Newton steps from above never pass it. A good proposal costs two comparisons and no division.
template <std::unsigned_integral U>
ORRERY_HD constexpr U row_of(U k, U row) {
    if (tiles_before(row + 1) <= k) row += (k - tiles_before(row)) / (row + 1);
    while (tiles_before(row) > k) row -= (tiles_before(row) - k + row - 1) / row;
    return row;
}

/// Radicands of narrow maps are reduced by this fraction, so that a proposal is correct or one row too low: it reduces
/// the root by 2⁻²¹, while the error of a NearRoot is 2⁻²² and that of the radicand in float 2⁻²³; at kNarrowRows it
/// amounts to 1/64 of a row.
inline constexpr double kBelow = 1 - 0x1p-20;

/// ⌊x − less⌋ for 0 ≤ x < 2²² and a `less` of 0 or 1/2. One addition on a device: floats beyond 2²³ are integers, so
/// the sum, rounded down, holds the result in its last bits.
ORRERY_HD inline std::int32_t floor_less(float x, float less) {
#ifdef __CUDA_ARCH__
    return __float_as_int(__fadd_rd(x, 0x1p23f - less)) - 0x4b000000;
#else
    return static_cast<std::int32_t>(x + (1 - less)) - 1;
#endif
}
ORRERY_HD inline std::int32_t floor_less(double x, double less) {
    return static_cast<std::int32_t>(x + (1 - less)) - 1;
}

}  // namespace orrery
