// SPDX-License-Identifier: MIT
// The inverse of each map, from a tile to the block that must produce it, derived independently of the maps without
// roots.
#pragma once
#include <cstdint>

#include "core/base/bits.hpp"
#include "core/base/hd.hpp"
#include "core/maps/any_map.hpp"

namespace orrery::test {

using u64 = std::uint64_t;

ORRERY_HD constexpr Block inverse_rb(Tile tile, u64 m) {
    if (m % 2 == 1) return tile.col <= m / 2 ? Block{tile.col, tile.row} : Block{m - tile.col, m - 1 - tile.row};
    return tile.col < m / 2 ? Block{tile.col, u64{tile.row} + 1} : Block{m - tile.col - 1, m - tile.row - 1};
}

/// Number of integers below `end` in which this bit is set.
ORRERY_HD constexpr u64 with_bit(int bit, u64 end) {
    const u64 side = u64{1} << bit, rest = end % (2 * side);
    return end / (2 * side) * side + (rest > side ? rest - side : 0);
}

ORRERY_HD inline u64 inverse_rec(Tile tile, u64 m) {
    if (tile.row == tile.col) return tile.row;
    const int level = bit_width(tile.row ^ tile.col) - 1;
    u64 index = m;
    for (int before = 0; before < level; ++before) index += with_bit(before, m) << before;
    return index + (with_bit(level, tile.row) << level) + tile.col % (u64{1} << level);
}

ORRERY_HD constexpr u64 inverse_utm(Tile tile, u64 m) {
    const u64 col = tile.col;
    return col * (2 * m - col + 1) / 2 + (tile.row - col);
}

/// In the triangle of n = 2^k rows, counted along the grid's n/2 columns.
ORRERY_HD inline u64 inverse_h(u64 row, u64 col, u64 n) {
    if (n == 1) return 0;
    if (row == col) return (n - 1) * (n / 2) + row;
    const u64 side = bit_floor(row ^ col), square = row / (2 * side);
    return (row - 2 * square * side - 1) * (n / 2) + (col - square * side);
}

ORRERY_HD inline u64 inverse_hadouken(Tile tile, u64 m) {
    u64 above = 0, side = bit_floor(m);
    while (tile.row >= above + side) above += side, side = bit_floor(m - above);
    const u64 begin = above * (above + 1) / 2, row = tile.row - above;
    if (tile.col < above) return begin + tile.col * side + row;
    return begin + above * side + inverse_h(row, tile.col - above, side);
}

ORRERY_HD constexpr u64 row_order(u64 row, u64 col) { return row * (row + 1) / 2 + col; }

ORRERY_HD inline Block block_of(MapId map, Tile tile, u64 m, Grid grid) {
    if (map == map_id<BoundingBox>) return {tile.col, tile.row};
    if (map == map_id<Rooted<LambdaGrid>> || map == map_id<Rooted<LambdaPublishedGrid>>)
        return block_at(grid, row_order(tile.row, tile.col));
    if (map == map_id<RectangularBox>) return inverse_rb(tile, m);
    if (map == map_id<Recursive>) return {inverse_rec(tile, m), 0};
    if (map == map_id<Rooted<Utm>>) return {inverse_utm(tile, m), 0};
    if (map == map_id<Hadouken>) return block_at(grid, inverse_hadouken(tile, m));
    if (map == map_id<Rooted<LambdaStrict>>)
        return {tile.row == tile.col ? m * (m - 1) / 2 + tile.row : row_order(tile.row - 1, tile.col), 0};
    return {row_order(tile.row, tile.col), 0};
}

/// Number of edge tiles of this row (first, middle, last, diagonal) that their block does not produce.
ORRERY_HD inline unsigned wrong_edges(const AnyMap& map, std::uint32_t row, std::uint32_t rows) {
    const Grid grid = map.grid(rows);
    unsigned wrong = 0;
    for (const std::uint32_t col : {std::uint32_t{0}, row / 2, row - (row > 0), row}) {
        const Block block = block_of(map.map, {row, col}, rows, grid);
        const bool inside = block.x < grid.x && block.y < grid.y;
        wrong += !inside || map(block, rows) != Tile{row, col};
    }
    return wrong;
}

}  // namespace orrery::test
