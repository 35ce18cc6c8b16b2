// SPDX-License-Identifier: MIT
// The lists of all maps and roots, from which ids, AnyMap, menus, the laboratory's launch variants and the tests
// derive: a new map is a functor and a line here.
#pragma once
#include "core/base/type_list.hpp"
#include "core/maps/lambda.hpp"
#include "core/maps/roots.hpp"
#include "core/maps/tetrahedron_maps.hpp"
#include "core/maps/triangle_maps.hpp"

namespace orrery {

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

}  // namespace orrery
