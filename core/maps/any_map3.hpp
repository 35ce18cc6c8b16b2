// SPDX-License-Identifier: MIT
#pragma once
#include "core/maps/list.hpp"

namespace orrery {

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

}  // namespace orrery
