// SPDX-License-Identifier: MIT
#pragma once
#include "core/maps/list.hpp"

namespace orrery {

/// A map with a root, chosen at run time: kernels take this type, so that there is one kernel for all maps. The map is
/// the same for every block, so its branches cause no divergence.
struct AnyMap {
    MapId map = map_id<Rooted<Lambda>>;
    RootId root = root_id<SqrtRoot>;  ///< read only by maps that take one
    const Tile* table = nullptr;      ///< for maps that read one; in the memory space where the map runs

    /// {0, 0} if there is no such map.
    ORRERY_HD Grid grid(std::uint32_t rows) const {
        Grid grid{};
        with_type<Maps>(static_cast<std::size_t>(map), [&]<class Listed>() { grid = Sample<Listed>::grid(rows); });
        return grid;
    }

    /// Returns a tile without work if there is no such map.
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        Tile tile{rows, 0};
        with_rooted<Maps>(static_cast<std::size_t>(map), root, [&]<class Map>() {
            if constexpr (reads_table<Map>)
                tile = Map{table}(block, rows);
            else
                tile = Map{}(block, rows);
        });
        return tile;
    }
};

/// The block that a map in row order, on any grid, assigns to this tile.
ORRERY_HD inline Block block_of_row(const AnyMap& map, Tile tile, std::uint32_t rows) {
    return block_at(map.grid(rows), triangular(tile.row) + tile.col);
}

/// True if a map in row order places the first and the last tile of this row correctly; errors of a root appear there
/// first.
ORRERY_HD inline bool places_row(const AnyMap& map, std::uint32_t row, std::uint32_t rows) {
    const Tile first{row, 0}, last{row, row};
    return map(block_of_row(map, first, rows), rows) == first && map(block_of_row(map, last, rows), rows) == last;
}

}  // namespace orrery
