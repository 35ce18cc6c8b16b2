// SPDX-License-Identifier: MIT
#pragma once
#include "core/base/bits.hpp"
#include "core/maps/map.hpp"
#include "core/maps/rows.hpp"

namespace orrery {

/// H, for 2-simplices (Navarro and others, arXiv 2208.11617, after 1610.07394): bit operations only, no root, no block
/// wasted. Its core maps n/2 × (n + 1) blocks to a triangle of n = 2^k rows. Other m are split along their binary
/// digits into trapezoids, one per set bit 2^k: a rectangle to the left of a triangle of 2^k rows, one after the other
/// on a line of M blocks.
struct Hadouken {
    static constexpr std::string_view name = "hadouken", root = "";
    static constexpr std::string_view
        label = "Hadouken (H)",
        doc = "squares of powers of two, found by bit operations; trapezoids for other sizes";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) {
        if (rows > 1 && is_power_of_two(rows)) return {rows / 2, std::uint64_t{rows} + 1};
        return {triangular(rows), 1};
    }

    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        if (rows <= kNarrowRows)
            return tile(static_cast<std::uint32_t>(block.x), static_cast<std::uint32_t>(block.y), rows);
        return tile(block.x, block.y, std::uint64_t{rows});
    }

    /// The core, for n = 2^k > 1. b = 2^⌊log₂ y⌋ is the side of the squares that grid row y crosses, and q = ⌊x/b⌋ is
    /// the index of the square, whose corner is at (2q + 1, 2q)·b. The last two grid rows are the diagonal.
    template <class U>
    ORRERY_HD static Tile core(U x, U y, U n) {
        if (y >= n - 1) return narrowed(x + (y - (n - 1)) * (n / 2), x + (y - (n - 1)) * (n / 2));
        const U b = bit_floor(++y), qb = x & ~(b - 1);
        return narrowed(y + 2 * qb, x + qb);
    }

    /// Block k of the line of trapezoids, for any m.
    template <class U>
    ORRERY_HD static Tile on_line(U k, U rows) {
        U above = 0, side = bit_floor(rows);  // `above`: number of rows of the preceding trapezoids
        while (k >= tiles_before(above + side)) {
            above += side;
            side = bit_floor(rows - above);
        }
        k -= tiles_before(above);
        const int log_side = bit_width(side) - 1;
        if (k < above << log_side) return narrowed(above + (k & (side - 1)), k >> log_side);
        k -= above << log_side;
        if (side == 1) return narrowed(above, above);
        const Tile inner = core(k & (side / 2 - 1), k >> (log_side - 1), side);
        return narrowed(above + inner.row, above + inner.col);
    }

private:
    template <class U>
    ORRERY_HD static constexpr Tile narrowed(U row, U col) {
        return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col)};
    }
    template <class U>
    ORRERY_HD static Tile tile(U x, U y, U rows) {
        return rows > 1 && is_power_of_two(rows) ? core(x, y, rows) : on_line(x, rows);
    }
};
static_assert(TriangleMap<Hadouken>);

}  // namespace orrery
