// SPDX-License-Identifier: MIT
#pragma once
#include "core/base/bits.hpp"
#include "core/maps/map.hpp"

namespace orrery {

/// Recursive partition (Ries and others): the diagonal, then squares of side 1, 2, 4, … The paper launches each level
/// apart and wants m = q·2^k; here the levels lie side by side on one line of M blocks, none wasted, for any m: level l
/// holds the tiles whose row and column first differ in bit l, that is 2^l columns for each row below m with bit l set.
/// The last square of a level ends where the triangle does.
struct Recursive {
    static constexpr std::string_view name = "rec", root = "";
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }

    /// First index of a level; the diagonal lies before level 0. Triangles of side 2^level along the diagonal, and the
    /// rest of one, hold all that came before. The levels of m rows are 0 … bit_width(m − 1) − 1: a laboratory may
    /// launch each interval by itself, as the paper did.
    ORRERY_HD static constexpr std::uint64_t begin(int level, std::uint32_t rows) {
        const std::uint64_t side = std::uint64_t{1} << level;
        return (rows >> level) * triangular(side) + triangular(rows & (side - 1));
    }

    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        const std::uint64_t k = block.x;
        if (k < rows) return {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k)};
        const int level = level_of(k, rows);
        const std::uint64_t in_level = k - begin(level, rows), mask = (std::uint64_t{1} << level) - 1;
        // A zero pushed in above bit `level` of the counter, a one at it: the rows that have this bit, in order.
        const std::uint64_t nth = in_level >> level, corner = nth >> level << (level + 1);
        return {static_cast<std::uint32_t>(corner + mask + 1 + (nth & mask)),
                static_cast<std::uint32_t>(corner + (in_level & mask))};
    }

private:
    /// begin(l) is near m·2^(l−1): the bits of k and m propose a level, at most one off.
    ORRERY_HD static int level_of(std::uint64_t k, std::uint32_t rows) {
        int level = bit_width(k) - bit_width(rows);
        while (level > 0 && begin(level, rows) > k) --level;
        while (begin(level + 1, rows) <= k) ++level;
        return level;
    }
};
static_assert(TriangleMap<Recursive>);

}  // namespace orrery
