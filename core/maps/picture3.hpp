// SPDX-License-Identifier: MIT
// Data for the drawing of a map of triples: the launch grid block by block, and the tetrahedron layer by layer, or both
// as cubes in space.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/maps/maps3.hpp"

namespace orrery {

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
