// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/base/bits.hpp"
#include "core/maps/map.hpp"

namespace orrery {

/// Bounding box: the whole square is launched, and blocks above the diagonal return at once.
struct BoundingBox {
    static constexpr std::string_view name = "bb", root = "";
    static constexpr std::string_view label = "Bounding box",
                                      doc = "the whole square of blocks; those above the diagonal return at once";
    static constexpr std::string_view title = "Bounding box (bb)", formula = "row = y, col = x; idle if x > y",
                                      source = paper::kNavarro2016;
    static constexpr std::string_view glsl = "return uvec2(y, x);";
    static constexpr Wastes wastes = Wastes::kAboveDiagonal;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {rows, rows}; }
    ORRERY_HD constexpr Tile operator()(Block block, std::uint32_t) const {
        return {static_cast<std::uint32_t>(block.y), static_cast<std::uint32_t>(block.x)};
    }
    static void explain(const MappedTile& at, auto& say) {
        if (at.x > at.y) return say("{} > {}", at.x, at.y);
        say("{} ≤ {}", at.x, at.y);
        say("row = {}", at.row);
        say("col = {}", at.col);
    }
};
static_assert(TriangleMap<BoundingBox>);

/// Rectangular box (Jung and O'Leary): the right half of the triangle, rotated by 180 degrees, fills the gap above its
/// left half. No block is wasted. Even m: m/2 × (m + 1) blocks; y > x stays at (y − 1, x), the others map to (m − y −
/// 1, m − x − 1); the papers print the second column as m − row − 1, which does not cover the triangle. Odd m: (m +
/// 1)/2 × m blocks, where the left half keeps its middle column and needs no additional row.
struct RectangularBox {
    static constexpr std::string_view name = "rb", root = "";
    static constexpr std::string_view
        label = "Rectangular box",
        doc = "one half of the triangle, turned by 180 degrees, fills the gap above the other half";
    static constexpr std::string_view
        title = "Rectangular box (rb)",
        formula =
            "m even: (y − 1, x) if y > x, else (m − y − 1, m − x − 1); m odd: (y, x) if y ≥ x, "
            "else (m − y − 1, m − x)",
        source = paper::kJung2008;
    static constexpr std::string_view glsl =
        "uint extra = 1u - rows % 2u;"
        "return y >= x + extra ? uvec2(y - extra, x) : uvec2(rows - 1u - y, rows - extra - x);";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) {
        return {(std::uint64_t{rows} + 1) / 2, std::uint64_t{rows} | 1};
    }
    ORRERY_HD constexpr Tile operator()(Block block, std::uint32_t rows) const {
        const auto x = static_cast<std::uint32_t>(block.x), y = static_cast<std::uint32_t>(block.y);
        const std::uint32_t extra = 1 - rows % 2;
        return y >= x + extra ? Tile{y - extra, x} : Tile{rows - 1 - y, rows - extra - x};
    }
    static void explain(const MappedTile& at, auto& say) {
        const bool even = at.m % 2 == 0, stays = even ? at.y > at.x : at.y >= at.x;
        say("{} {} {}", at.y, stays ? (even ? ">" : "≥") : (even ? "≤" : "<"), at.x);
        if (stays && even) say("row = {} − 1 = {}", at.y, at.row);
        if (stays && !even) say("row = {}", at.row);
        if (!stays) say("row = {} − {} − 1 = {}", at.m, at.y, at.row);
        if (stays) return say("col = {}", at.col);
        even ? say("col = {} − {} − 1 = {}", at.m, at.x, at.col) : say("col = {} − {} = {}", at.m, at.x, at.col);
    }
};
static_assert(TriangleMap<RectangularBox>);

/// Recursive partition (Ries and others): the diagonal, then squares of side 1, 2, 4, … The paper launches each level
/// separately and requires m = q·2^k; here the levels lie side by side on one line of M blocks, none wasted, for any m:
/// level l holds the tiles whose row and column first differ in bit l, that is 2^l columns for each row below m with
/// bit l set. The last square of a level ends where the triangle does.
struct Recursive {
    static constexpr std::string_view name = "rec", root = "";
    static constexpr std::string_view label = "Recursive partition",
                                      doc = "the diagonal, then squares of side 1, 2, 4, ... in one launch";
    static constexpr std::string_view
        title = "Recursive partition (rec)",
        formula =
            "the diagonal, then levels l of squares with side 2^l: i = x − begin(l), n = ⌊i/2^l⌋, c = "
            "2·2^l·⌊n/2^l⌋, row = c + 2^l + n mod 2^l, col = c + i mod 2^l",
        source = paper::kRies2009;
    static constexpr std::string_view glsl = "return rec_tile(x, rows);";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }

    /// First index of a level; the diagonal comes before level 0. All earlier levels fill triangles of side 2^level
    /// along the diagonal, and part of one. The levels of m rows are 0 … bit_width(m − 1) − 1: the laboratory may
    /// launch each interval separately, as the paper did.
    ORRERY_HD static constexpr std::uint64_t begin(int level, std::uint32_t rows) {
        return begin_in(level, std::uint64_t{rows});
    }

    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        if (rows <= kNarrowRows) return tile(static_cast<std::uint32_t>(block.x), rows);
        return tile(block.x, std::uint64_t{rows});
    }

    static void explain(const MappedTile& at, auto& say) {
        if (at.x < at.m) {
            say("{} < {}", at.x, at.m);
            say("row = {}", at.row);
            return say("col = {}", at.col);
        }
        // The level of a tile: the highest bit in which row and column differ.
        const int level = bit_width(at.row ^ at.col) - 1;
        const std::uint64_t side = std::uint64_t{1} << level;
        const std::uint64_t begin = Recursive::begin(level, static_cast<std::uint32_t>(at.m)), i = at.x - begin;
        const std::uint64_t nth = i / side, corner = 2 * side * (nth / side);
        say("l = {}, 2^l = {}", level, side);
        say("i = {} − {} = {}", at.x, begin, i);
        say("n = ⌊{}/{}⌋ = {}", i, side, nth);
        say("c = 2·{}·⌊{}/{}⌋ = {}", side, nth, side, corner);
        say("row = {} + {} + {} mod {} = {}", corner, side, nth, side, at.row);
        say("col = {} + {} mod {} = {}", corner, i, side, at.col);
    }

private:
    template <class U>
    ORRERY_HD static constexpr U begin_in(int level, U rows) {
        const U side = U{1} << level;
        return (rows >> level) * tiles_before(side) + tiles_before(rows & (side - 1));
    }

    template <class U>
    ORRERY_HD static Tile tile(U k, U rows) {
        if (k < rows) return {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k)};
        const int level = level_of(k, rows);
        const U in_level = k - begin_in(level, rows), mask = (U{1} << level) - 1;
        // Insert a one at bit `level` of the counter: this enumerates the rows that have the bit set, in order.
        const U nth = in_level >> level, corner = nth >> level << (level + 1);
        return {static_cast<std::uint32_t>(corner + mask + 1 + (nth & mask)),
                static_cast<std::uint32_t>(corner + (in_level & mask))};
    }

    /// With m = q·2^l + r, begin(l) − m = (m(2^l − 1) − r(2^l − r))/2. So level l begins at or before k when m·2^l ≤ 2k
    /// − m; the greatest such l is correct or, because of r, one too low.
    template <class U>
    ORRERY_HD static int level_of(U k, U rows) {
        const U reach = 2 * k - rows;
        int level = bit_width(reach) - bit_width(rows);
        if (rows << level > reach) --level;
        if (begin_in(level + 1, rows) <= k) ++level;
        return level;
    }
};
static_assert(TriangleMap<Recursive>);

/// The core of H in a triangle of n = 2^k rows below row `above`.
void explain_core(auto& say, std::uint64_t x, std::uint64_t y, std::uint64_t n, std::uint64_t above,
                  const MappedTile& at) {
    const std::string plus = above > 0 ? std::to_string(above) + " + " : std::string{};
    if (y >= n - 1) {
        say("{} ≥ {} − 1", y, n);
        say("row = {}{} + {}·{} = {}", plus, x, y - (n - 1), n / 2, at.row);
        return say("col = {}{} + {}·{} = {}", plus, x, y - (n - 1), n / 2, at.col);
    }
    const std::uint64_t b = bit_floor(y + 1), q = x / b;
    say("b = {} ≤ {} + 1 < {}", b, y, 2 * b);
    say("q = ⌊{}/{}⌋ = {}", x, b, q);
    say("row = {}{} + 1 + 2·{}·{} = {}", plus, y, q, b, at.row);
    say("col = {}{} + {}·{} = {}", plus, x, q, b, at.col);
}

/// H, for 2-simplices (Navarro and others, arXiv 2208.11617, after 1610.07394): bit operations only, no root, no block
/// wasted. Its core maps n/2 × (n + 1) blocks to a triangle of n = 2^k rows. Other m are split along their binary
/// digits into trapezoids, one per set bit 2^k: a rectangle to the left of a triangle of 2^k rows, one after the other
/// on a line of M blocks.
struct Hadouken {
    static constexpr std::string_view name = "hadouken", root = "";
    static constexpr std::string_view
        label = "Hadouken (H)",
        doc = "squares of powers of two, found by bit operations; trapezoids for other sizes";
    static constexpr std::string_view
        title = "Hadouken, by bits (hadouken)",
        formula =
            "m = 2^k: b = 2^⌊log₂(y + 1)⌋, q = ⌊x/b⌋, row = y + 1 + 2qb, col = x + qb; the last two "
            "lines are the diagonal; other m: a trapezoid for each set bit of m",
        source = paper::kNavarro2022;
    static constexpr std::string_view glsl = "return hadouken_tile(x, y, rows);";
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

    static void explain(const MappedTile& at, auto& say) {
        if (at.m > 1 && is_power_of_two(at.m)) return explain_core(say, at.x, at.y, at.m, 0, at);
        std::uint64_t above = 0, side = bit_floor(at.m);
        while (at.x >= triangular(above + side)) above += side, side = bit_floor(at.m - above);
        const std::uint64_t k = at.x - triangular(above), rectangle = above * side;
        if (above > 0) say("k = {} − {}·{}/2 = {}", at.x, above, above + 1, k);
        if (k < rectangle) {
            say("row = {} + {} mod {} = {}", above, k, side, at.row);
            return say("col = ⌊{}/{}⌋ = {}", k, side, at.col);
        }
        const std::uint64_t rest = k - rectangle, half = side / 2;
        if (side == 1) {
            say("row = {}", at.row);
            return say("col = {}", at.col);
        }
        if (rectangle > 0) say("k − {}·{} = {} − {}·{} = {}", above, side, k, above, side, rest);
        say("x = {} mod {} = {}", rest, half, rest % half);
        say("y = ⌊{}/{}⌋ = {}", rest, half, rest / half);
        explain_core(say, rest % half, rest / half, side, above, at);
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
