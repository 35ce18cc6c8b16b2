// SPDX-License-Identifier: MIT
#pragma once
#include "core/base/bits.hpp"
#include "core/maps/map.hpp"
#include "core/maps/rows.hpp"

namespace orrery {

/// Recursive partition (Ries and others): the diagonal, then squares of side 1, 2, 4, … The paper launches each level
/// separately and requires m = q·2^k; here the levels lie side by side on one line of M blocks, none wasted, for any m:
/// level l holds the tiles whose row and column first differ in bit l, that is 2^l columns for each row below m with
/// bit l set. The last square of a level ends where the triangle does.
struct Recursive {
    static constexpr std::string_view name = "rec", root = "";
    static constexpr std::string_view label = "Recursive partition",
                                      doc = "the diagonal, then squares of side 1, 2, 4, ... in one launch";
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

}  // namespace orrery
