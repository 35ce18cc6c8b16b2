// SPDX-License-Identifier: MIT
// Data for the drawing of a map: the launch grid block by block, and the triangle tile by tile.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/maps/maps.hpp"

namespace orrery {

/// Larger triangles are drawn with fewer rows, so that blocks stay large enough to be distinguished.
inline constexpr std::uint32_t kMostDrawnRows = 66;

struct MapCounts {
    std::uint64_t launched = 0, useful = 0;
    std::uint64_t wasted() const { return launched - useful; }
    double waste() const {
        return launched ? static_cast<double>(wasted()) / static_cast<double>(launched) : 0;
    }  ///< fraction of all launched, 0 … 1
};
/// The counts of MapPlan without the table that a plan of `lut` holds: for triangles of any size.
MapCounts counts(const MapEntry& map, std::uint32_t rows);

/// Number of rows drawn for a triangle of `rows`: all of them, or the number given by its leading bits, with the same
/// parity, and a power of two only if `rows` is one, because maps differ in these cases.
std::uint32_t drawn_rows(std::uint32_t rows);

/// A map over a triangle, evaluated once, so that a drawing can look up both directions.
class MapPicture {
public:
    /// Throws as plan() does, but also accepts a published form beyond its range.
    MapPicture(std::string_view map, std::string_view root, std::uint32_t rows);
    /// A map of a kernel file, by its results for a triangle of `rows` rows: the tile of each block, x first. It may
    /// be wrong; see times().
    MapPicture(std::string_view name, std::uint32_t rows, Grid grid, std::vector<Tile> tiles);

    std::string_view map() const { return map_; }
    std::string_view root() const { return root_; }
    std::uint32_t rows() const { return rows_; }    ///< of the triangle to which the counts refer
    std::uint32_t drawn() const { return drawn_; }  ///< rows of the triangle that is drawn
    const MapCounts& true_counts() const { return counts_; }
    Grid grid() const { return grid_; }  ///< of the drawn triangle

    /// Columns of the drawing: the width of the grid, or about its square root if the grid is a single line, which is
    /// folded.
    std::uint32_t columns() const { return columns_; }
    std::uint32_t lines() const { return static_cast<std::uint32_t>((blocks() + columns_ - 1) / columns_); }
    bool folded() const { return columns_ != grid_.x; }

    std::uint32_t blocks() const { return static_cast<std::uint32_t>(tiles_.size()); }
    Block block(std::uint32_t index) const { return block_at(grid_, index); }
    Tile tile(std::uint32_t index) const { return tiles_[index]; }  ///< including wasted blocks
    bool useful(std::uint32_t index) const { return orrery::useful(tiles_[index], drawn_); }
    /// The first tile of the whole triangle that the map misplaces; empty if there is none.
    const std::optional<Misplaced>& misplaced() const { return misplaced_; }
    /// True if the map misplaces tiles in the rows of the whole triangle that this drawn row represents.
    bool wrong(std::uint32_t drawn_row) const { return misplaced_ && wrong_[drawn_row]; }
    /// Index of the block that maps to this tile; of several, the last one.
    std::uint32_t block_of(Tile tile) const { return blocks_[triangular(tile.row) + tile.col]; }
    /// Number of blocks that map to this tile. Only a map of a kernel file has other values than 1.
    std::uint32_t times(Tile tile) const { return times_.empty() ? 1 : times_[triangular(tile.row) + tile.col]; }

private:
    void look_for_wrong_rows(const AnyMap& map);

    std::string map_, root_;
    std::uint32_t rows_, drawn_, columns_ = 1;
    std::optional<Misplaced> misplaced_;
    std::vector<bool> wrong_;  // by drawn row; empty if no tile is misplaced
    MapCounts counts_;
    Grid grid_{};
    std::vector<Tile> tiles_;            // by block index
    std::vector<std::uint32_t> blocks_;  // by tile in row order
    std::vector<std::uint32_t> times_;   // the same; empty: 1 for all tiles
};

// Data for the drawing of a map of triples: the launch grid block by block, and the tetrahedron layer by layer, or both
// as cubes in space.

/// Larger tetrahedra are drawn with this many layers.
inline constexpr std::uint32_t kMostDrawnLayers = 12;

/// Number of blocks that a map of triples launches for `side` layers, and of those with work.
struct Map3Counts {
    std::uint64_t launched, useful;
};
Map3Counts counts(const Map3Entry& map, std::uint64_t side);

/// A map over a tetrahedron, evaluated once. Blocks and triples are arranged in slices: the grid's z, and the layers k.
class Map3Picture {
public:
    /// `side` layers, so side (side + 1) (side + 2) / 6 triples. Throws Error{kUsage} for unknown ids.
    Map3Picture(std::string_view map, std::string_view root, std::uint32_t side);

    std::string_view map() const { return map_; }
    std::string_view root() const { return root_; }
    std::uint32_t side() const { return side_; }
    /// Shape of the drawing: that of the grid, except that a single line of blocks is folded into about a square.
    std::uint32_t columns() const { return columns_; }
    std::uint32_t lines() const { return lines_; }
    std::uint32_t slices() const { return slices_; }

    std::uint32_t blocks() const { return static_cast<std::uint32_t>(triples_.size()); }
    Block3 block(std::uint32_t index) const { return block_at(grid_, index); }
    TileTriple triple(std::uint32_t block) const { return triples_[block]; }  ///< including blocks without work
    bool useful(std::uint32_t block) const { return orrery::useful(triples_[block], side_); }
    /// Index of the block that maps to this triple.
    std::uint32_t block_of(TileTriple t) const { return blocks_[place_of(t)]; }

private:
    static std::uint64_t place_of(TileTriple t);

    std::string map_, root_;
    std::uint32_t side_, columns_, lines_, slices_;
    Grid3 grid_{};
    std::vector<TileTriple> triples_;    // by block index
    std::vector<std::uint32_t> blocks_;  // by triple, in layers
};

/// One of the three visible faces of a block or triple, drawn as a unit cube.
struct CubeFace {
    std::array<std::array<float, 2>, 4> corners;  ///< x to the right, y downwards
    float light;                                  ///< 1 on top, less on the sides
    std::uint32_t block;                          ///< index of the block
    bool useful;
};

/// Cubes in parallel projection, from the farthest to the nearest, with the first slice or layer on top.
struct CubeDrawing {
    float width = 0, height = 0;
    std::vector<CubeFace> faces;
};
/// A unit cube with its lower corner at (x, y, z), z upwards.
struct DrawnCube {
    std::uint32_t x, y, z, block;
    bool useful;
};
/// At most `lines` cubes along y and `slices` along z.
CubeDrawing cubes_in_space(std::vector<DrawnCube> cubes, std::uint32_t lines, std::uint32_t slices);
CubeDrawing blocks_in_space(const Map3Picture& picture);
/// The right angles of the layers are in the corner away from the viewer, as in arXiv 1609.01490, figures 6 and 7.
CubeDrawing triples_in_space(const Map3Picture& picture);

}  // namespace orrery
