// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstdint>
#include <string_view>

#include "core/base/hd.hpp"
#include "core/maps/exact/exact_maps.hpp"

namespace orrery {

/// Position of a block in the launch grid. 64 bits: a triangle of 2¹⁷ rows already has more than 2³² tiles.
struct Block {
    std::uint64_t x, y;
    friend bool operator==(const Block&, const Block&) = default;
};
/// Number of launched blocks: x · y.
struct Grid {
    std::uint64_t x, y;
    ORRERY_HD constexpr std::uint64_t count() const { return x * y; }
};
/// A pair of body tiles. The domain is the triangle col ≤ row < rows; a block that is mapped to any other tile has no
/// work and is wasted.
struct Tile {
    std::uint32_t row, col;
    friend bool operator==(const Tile&, const Tile&) = default;
};
ORRERY_HD constexpr bool useful(Tile tile, std::uint32_t rows) { return tile.col <= tile.row && tile.row < rows; }

/// Number of tiles in rows 0 … row−1 of the triangle, diagonal included.
ORRERY_HD constexpr std::uint64_t triangular(std::uint64_t row) { return exact::pair_count(row); }

/// Block `index` of a grid, counted along x first: engines that run in slices divide the grid into intervals of this
/// index.
ORRERY_HD constexpr Block block_at(Grid grid, std::uint64_t index) { return {index % grid.x, index / grid.x}; }

/// Blocks outside the domain that the grid of a map may have.
enum class Wastes { kNothing, kAboveDiagonal, kAnything };

/// Number of rows up to which a map that trusts its root is exact, by RootId: measured, on an x86-64 host and on an
/// H200.
struct ExactRows {
    std::uint32_t host[5], device[5];
};

/// A block and the tile that a map assigns to it in a triangle of m rows, for `explain`.
struct MappedTile {
    std::uint64_t x, y;
    std::uint64_t m;
    std::uint64_t row, col;
};

// Sources of maps.
namespace paper {
inline constexpr std::string_view
    kNavarro2016 =
        "C. A. Navarro, B. Bustos, N. Hitschfeld: A non-linear GPU thread map for triangular domains, 2016 (arXiv "
        "1609.01490)",
    kJung2008 = "J. H. Jung, D. P. O'Leary: Exploiting structure of symmetric or triangular matrices on a GPU, 2008",
    kRies2009 =
        "F. Ries, T. De Marco, M. Zivieri, R. Guerrieri: Triangular matrix inversion on graphics processing unit, SC "
        "'09, 2009",
    kAvril2012 =
        "Q. Avril, V. Gouranton, B. Arnaldi: Fast collision culling in large-scale environments using GPU mapping "
        "function, EGPGV 2012",
    kNavarro2022 =
        "C. A. Navarro and others: A scalable and energy efficient GPU thread map for m-simplex domains, 2022 (arXiv "
        "2208.11617)";
}  // namespace paper

/// A thread map: every useful tile comes from exactly one block of the grid. explain(at, say) calls say(format,
/// values...) for each equation that leads from a block to its tile, see worked_out(). Optional members: `exact`
/// (ExactRows), which marks a map for study, and `table`, for the output of lut_table().
template <class M>
concept TriangleMap = requires(const M map, Block block, std::uint32_t rows) {
    { M::grid(rows) } -> std::same_as<Grid>;
    { map(block, rows) } -> std::same_as<Tile>;
    { M::name } -> std::convertible_to<std::string_view>;  // its id
    { M::label } -> std::convertible_to<std::string_view>;
    { M::doc } -> std::convertible_to<std::string_view>;
    { M::root } -> std::convertible_to<std::string_view>;  // id of its square root; empty if it takes none
    { M::wastes } -> std::convertible_to<Wastes>;
    { M::title } -> std::convertible_to<std::string_view>;    // full name, with the id: "Bounding box (bb)"
    { M::formula } -> std::convertible_to<std::string_view>;  // from block (x, y) to its tile
    { M::source } -> std::convertible_to<std::string_view>;   // authors, title and year; empty: of this program
    { M::glsl } -> std::convertible_to<std::string_view>;     // body of tile_of() in core/gl/shaders/maps.glsl
};

template <class M>
inline constexpr bool reads_table = requires(M map) {
    map.table;
};
template <class M>
inline constexpr bool trusts_root = requires {
    M::exact;
};

// Index arithmetic shared by the maps: that of the installed library, core/maps/exact.

using exact::floor_less;
using exact::kBelow;
using exact::kMostRows;
using exact::kNarrowRows;
using exact::row_of;
using exact::tiles_before;  // `triangular` without a branch

}  // namespace orrery
