// SPDX-License-Identifier: MIT
// What the picture of a map shows: the launch grid block by block, and the triangle tile by tile.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/maps/maps.hpp"

namespace orrery {

/// Triangles of more rows are drawn with fewer: blocks must stay large enough to be distinguishable.
inline constexpr std::uint32_t kMostDrawnRows = 66;

struct MapCounts {
    std::uint64_t launched = 0, useful = 0;
    std::uint64_t wasted() const { return launched - useful; }
    double waste() const {
        return launched ? static_cast<double>(wasted()) / static_cast<double>(launched) : 0;
    }  ///< of all launched, 0 … 1
};
/// As MapPlan counts, but without the table that a plan of `lut` holds: for triangles of any size.
MapCounts counts(const MapEntry& map, std::uint32_t rows);

/// Number of rows drawn for a triangle of `rows`: all of them, or the number given by its leading bits, with the same
/// parity and a power of two if `rows` is one, because maps differ in these cases.
std::uint32_t drawn_rows(std::uint32_t rows);

/// A map over a triangle, evaluated once, so that a picture can look up both directions.
class MapPicture {
public:
    /// Throws as plan() does, but takes a published form beyond its range, too.
    MapPicture(std::string_view map, std::string_view root, std::uint32_t rows);

    std::string_view map() const { return map_; }
    std::string_view root() const { return root_; }
    std::uint32_t rows() const { return rows_; }    ///< of the triangle to which the counts refer
    std::uint32_t drawn() const { return drawn_; }  ///< rows of the triangle that is drawn
    const MapCounts& true_counts() const { return counts_; }
    Grid grid() const { return grid_; }  ///< of the drawn triangle

    /// A line of blocks is folded into about a square: columns of the drawing. Otherwise the width of the grid.
    std::uint32_t columns() const { return columns_; }
    std::uint32_t lines() const { return static_cast<std::uint32_t>((blocks() + columns_ - 1) / columns_); }
    bool folded() const { return columns_ != grid_.x; }

    std::uint32_t blocks() const { return static_cast<std::uint32_t>(tiles_.size()); }
    Block block(std::uint32_t index) const { return block_at(grid_, index); }
    Tile tile(std::uint32_t index) const { return tiles_[index]; }  ///< of a block, wasted ones included
    bool useful(std::uint32_t index) const { return orrery::useful(tiles_[index], drawn_); }
    /// The first tile, of the whole triangle, that the map misplaces; nothing if there is none.
    const std::optional<Misplaced>& misplaced() const { return misplaced_; }
    /// Whether it misplaces tiles in the rows of the whole triangle for which this row is drawn.
    bool wrong(std::uint32_t drawn_row) const { return misplaced_ && wrong_[drawn_row]; }
    /// Index of the block that a tile of the triangle comes from.
    std::uint32_t block_of(Tile tile) const { return blocks_[triangular(tile.row) + tile.col]; }

private:
    void look_for_wrong_rows(const AnyMap& map);

    std::string map_, root_;
    std::uint32_t rows_, drawn_, columns_ = 1;
    std::optional<Misplaced> misplaced_;
    std::vector<bool> wrong_;  // by drawn row; empty if none is
    MapCounts counts_;
    Grid grid_{};
    std::vector<Tile> tiles_;            // by index of block
    std::vector<std::uint32_t> blocks_;  // by tile in row order
};

}  // namespace orrery
