// SPDX-License-Identifier: MIT
// The inverse of each map of the 3-simplex, from a triple to the block that must produce it, without roots.
#pragma once
#include "core/maps/any_map.hpp"
#include "tests/core/maps/inverse.hpp"

namespace orrery::test {

/// In the tetrahedron of n = 2^k layers: boxes by side, the largest first; each row of blocks is n/2 wide.
ORRERY_HD inline u64 inverse_core3(u64 i, u64 j, u64 k, u64 n) {
    if (n == 1) return 0;
    u64 rows = 0;
    if (i == k) {  // the diagonal
        for (u64 g = n / 2; g > 0; g /= 2) rows += g * (g + 1);
        return (rows + i / (n / 2)) * (n / 2) + i % (n / 2);
    }
    const u64 h = bit_floor(i ^ k), box = i / (2 * h), begin = box * 2 * h;  // the level at which i and k differ
    for (u64 g = n / 2; g > h; g /= 2) rows += g * (g + 1);
    const bool low = j < begin + h;  // a triangle of i and j, otherwise of j and k
    const u64 a = low ? k - begin - h : i - begin;
    const u64 y = low ? i - begin : k - begin - h, z = low ? j - begin + 1 : j - begin - h;
    return (rows + z * h + y) * (n / 2) + box * h + a;
}

ORRERY_HD inline u64 inverse_hadouken3(TileTriple t, u64 m) {
    u64 begin = 0, base = 0;
    for (;;) {
        const u64 side = bit_floor(m - base), rest = m - base - side, split = base + side;
        if (t.k < split) return begin + inverse_core3(t.i - base, t.j - base, t.k - base, side);
        begin += side * (side + 1) * (side + 2) / 6;
        if (t.j < split) {
            const Tile low{static_cast<std::uint32_t>(t.j - base), static_cast<std::uint32_t>(t.i - base)};
            return begin + inverse_hadouken(low, side) * rest + (t.k - split);
        }
        begin += side * (side + 1) / 2 * rest;
        if (t.i < split) {
            const Tile high{static_cast<std::uint32_t>(t.k - split), static_cast<std::uint32_t>(t.j - split)};
            return begin + inverse_hadouken(high, rest) * side + (t.i - base);
        }
        begin += side * (rest * (rest + 1) / 2);
        base = split;
    }
}

ORRERY_HD inline Block3 block_of(Map3Id map, TileTriple t, u64 m, Grid3 grid) {
    if (map == map3_id<BoundingCube>) return {t.i, t.j, t.k};
    if (map == map3_id<Hadouken3>) return {inverse_hadouken3(t, m), 0, 0};
    const u64 k = t.k;
    return block_at(grid, k * (k + 1) * (k + 2) / 6 + row_order(t.j, t.i));
}

}  // namespace orrery::test
