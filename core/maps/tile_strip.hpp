// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "core/maps/any_map.hpp"

namespace orrery {

/// The tiles of `strip` consecutive blocks of a map's grid, counted along x. λ on a line needs its root once: the next
/// tile is one column further, or at the beginning of the next row.
class TileStrip {
public:
    /// Strip `index` of the grid for `rows` rows; the last strip may be shorter. Keeps a reference to `map`.
    ORRERY_HD TileStrip(const AnyMap& map, Grid grid, std::uint32_t rows, std::uint32_t strip, std::uint64_t index)
        : map_{map}, grid_{grid}, rows_{rows}, item_{index * strip}, steps_{map.map == map_id<Rooted<Lambda>>} {
        const std::uint64_t blocks = grid.count();
        end_ = item_ + strip < blocks ? item_ + strip : blocks;
    }
    ORRERY_HD bool more() const { return item_ < end_; }
    /// May be no tile of the triangle, as the map has it.
    ORRERY_HD Tile tile() {
        // The only evaluation in the code of a kernel, because all maps with all roots are inlined there.
        if (!known_) tile_ = map_(grid_.y == 1 ? Block{item_, 0} : block_at(grid_, item_), rows_);
        known_ = steps_;
        return tile_;
    }
    /// After tile().
    ORRERY_HD void advance() {
        ++item_;
        if (steps_ && ++tile_.col > tile_.row) tile_ = {tile_.row + 1, 0};
    }

private:
    const AnyMap& map_;
    Grid grid_;
    std::uint32_t rows_;
    std::uint64_t item_, end_ = 0;
    bool steps_, known_ = false;
    Tile tile_{};
};

}  // namespace orrery
