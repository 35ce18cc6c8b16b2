// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstdint>
#include <string_view>

#include "core/base/hd.hpp"
#include "core/maps/exact/exact_maps.hpp"

namespace orrery {

// Maps of the 3-simplex: triples of body tiles for three-body forces; the counterpart of core/maps/map.hpp for pairs.

struct Block3 {
    std::uint64_t x, y, z;
    friend bool operator==(const Block3&, const Block3&) = default;
};
/// Number of launched blocks: x · y · z.
struct Grid3 {
    std::uint64_t x, y, z;
    ORRERY_HD constexpr std::uint64_t count() const { return x * y * z; }
};
/// Three body tiles. The domain is the tetrahedron i ≤ j ≤ k < side; a block that is mapped to any other triple has no
/// work.
struct TileTriple {
    std::uint32_t i, j, k;
    friend bool operator==(const TileTriple&, const TileTriple&) = default;
};
ORRERY_HD constexpr bool useful(TileTriple tiles, std::uint32_t side) {
    return tiles.i <= tiles.j && tiles.j <= tiles.k && tiles.k < side;
}

/// Maps are exact up to this many layers: six times the number of triples, and the cube of the layers, fit 64 bits.
inline constexpr std::uint32_t kMostLayers = exact::kMostLayers3;

/// Up to this many layers six times a triple's index fits 31 bits.
inline constexpr std::uint32_t kNarrowLayers = exact::kNarrowLayers3;

/// Six times the number of triples in layers 0 … layer−1, a layer being all triples of one k; needs no division.
ORRERY_HD constexpr std::uint64_t six_tetrahedral(std::uint64_t layer) { return exact::six_triples(layer); }
/// T_n = n(n + 1)(n + 2)/6.
ORRERY_HD constexpr std::uint64_t tetrahedral(std::uint64_t layer) { return six_tetrahedral(layer) / 6; }

/// Block `index` of a grid, counted along x first, then y. Grids of one line need no division.
ORRERY_HD constexpr Block3 block_at(Grid3 grid, std::uint64_t index) {
    if (grid.y == 1 && grid.z == 1) return {index, 0, 0};
    return {index % grid.x, index / grid.x % grid.y, index / grid.x / grid.y};
}

/// Every useful triple comes from exactly one block of the grid.
template <class M>
concept Simplex3Map = requires(const M map, Block3 block, std::uint32_t side) {
    { M::grid(side) } -> std::same_as<Grid3>;
    { map(block, side) } -> std::same_as<TileTriple>;
    { M::name } -> std::convertible_to<std::string_view>;  // its id
    { M::label } -> std::convertible_to<std::string_view>;
    { M::doc } -> std::convertible_to<std::string_view>;
    { M::root } -> std::convertible_to<std::string_view>;  // id of its root; empty if it takes none
};

/// Bounding box: the whole cube is launched, and 5/6 of its blocks return at once.
struct BoundingCube {
    static constexpr std::string_view name = "cube", root = "";
    static constexpr std::string_view label = "Bounding cube",
                                      doc = "the whole cube of blocks; five of six return at once";
    ORRERY_HD static constexpr Grid3 grid(std::uint32_t side) { return {side, side, side}; }
    ORRERY_HD constexpr TileTriple operator()(Block3 block, std::uint32_t) const {
        return {static_cast<std::uint32_t>(block.x), static_cast<std::uint32_t>(block.y),
                static_cast<std::uint32_t>(block.z)};
    }
};
static_assert(Simplex3Map<BoundingCube>);

}  // namespace orrery
