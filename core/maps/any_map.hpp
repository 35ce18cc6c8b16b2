// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "core/base/type_list.hpp"
#include "core/maps/lambda.hpp"
#include "core/maps/roots.hpp"
#include "core/maps/tetrahedron_maps.hpp"
#include "core/maps/triangle_maps.hpp"

namespace orrery {

// The lists of all maps and roots, from which ids, AnyMap, menus, the laboratory's launch variants and the tests
// derive: a new map is a header with its functor, its #include and a line here.

/// List entry of a map that takes a root.
template <template <class> class Map>
struct Rooted {
    template <class R>
    using With = Map<R>;
};

using Roots = TypeList<SqrtRoot, NewtonRoot, RsqrtRoot, Fp64Root, ApproximateRoot>;

/// Maps of pairs of tiles, in menu order.
using Maps = TypeList<BoundingBox,              //
                      Rooted<Lambda>,           //
                      Rooted<LambdaGrid>,       //
                      RectangularBox,           //
                      Recursive,                //
                      Rooted<Utm>,              //
                      Lut,                      //
                      Hadouken,                 //
                      Rooted<LambdaStrict>,     //
                      Rooted<LambdaPublished>,  //
                      Rooted<LambdaOffset>,     //
                      Rooted<LambdaPublishedGrid>>;
/// Maps of triples of tiles.
using Maps3 = TypeList<BoundingCube,         //
                       Rooted<Lambda3>,      //
                       Rooted<Lambda3Grid>,  //
                       Hadouken3>;

// Positions in those lists.
enum class MapId : std::uint8_t {};
enum class Map3Id : std::uint8_t {};
enum class RootId : std::uint8_t {};

template <class Map>
requires(index_in<Map, Maps>() < Maps::size) inline constexpr MapId map_id{index_in<Map, Maps>()};
template <class Map>
requires(index_in<Map, Maps3>() < Maps3::size) inline constexpr Map3Id map3_id{index_in<Map, Maps3>()};
template <Root R>
inline constexpr RootId root_id{index_in<R, Roots>()};

template <class Listed>
inline constexpr bool takes_root = requires {
    typename Listed::template With<SqrtRoot>;
};

namespace detail {
template <class Listed>
struct Sample {
    using type = Listed;
};
template <template <class> class Map>
struct Sample<Rooted<Map>> {
    using type = Map<SqrtRoot>;
};
}  // namespace detail
/// The type of a list entry, with the first root if it takes one: for properties that do not depend on the root.
template <class Listed>
using Sample = typename detail::Sample<Listed>::type;

/// Calls use(R{}) with the root of this id.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <class Use>
ORRERY_HD void with_root(RootId root, const Use& use) {
    with_type<Roots>(static_cast<std::size_t>(root), [&]<class R>() { use(R{}); });
}

/// Calls use.operator()<Map>() with the map at this index of a list, combined with this root if it takes one.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <class List, class Use>
ORRERY_HD void with_rooted(std::size_t index, RootId root, const Use& use) {
    with_type<List>(index, [&]<class Listed>() {
        if constexpr (takes_root<Listed>)
            with_type<Roots>(static_cast<std::size_t>(root),
                             [&]<class R>() { use.template operator()<typename Listed::template With<R>>(); });
        else
            use.template operator()<Listed>();
    });
}

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

/// A map of the 3-simplex with a root, chosen at run time: the counterpart of AnyMap for triples.
struct AnyMap3 {
    Map3Id map = map3_id<Rooted<Lambda3>>;
    RootId root = root_id<SqrtRoot>;  ///< read only by maps that take one; the cube root is computed accordingly

    /// {0, 0, 0} if there is no such map.
    ORRERY_HD Grid3 grid(std::uint32_t side) const {
        Grid3 grid{};
        with_type<Maps3>(static_cast<std::size_t>(map), [&]<class Listed>() { grid = Sample<Listed>::grid(side); });
        return grid;
    }

    /// Returns a triple without work if there is no such map.
    ORRERY_HD TileTriple operator()(Block3 block, std::uint32_t side) const {
        TileTriple triple{side, side, side};
        with_rooted<Maps3>(static_cast<std::size_t>(map), root, [&]<class Map>() { triple = Map{}(block, side); });
        return triple;
    }
};

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
