// SPDX-License-Identifier: MIT
#pragma once
#include "core/maps/any_map.hpp"
#include "core/maps/hadouken3.hpp"
#include "core/maps/lambda3.hpp"

namespace orrery {

enum class Map3Id : std::uint8_t { kCube, kLambda3, kLambda3Grid, kHadouken3 };

/// Any map of the 3-simplex with any root as one object, chosen at run time, as AnyMap is for pairs.
struct AnyMap3 {
    Map3Id map = Map3Id::kLambda3;
    RootId root = RootId::kSqrt;  ///< read only by maps that take one; the cube root is computed accordingly

    ORRERY_HD Grid3 grid(std::uint32_t side) const {
        switch (map) {
            case Map3Id::kCube:
                return BoundingCube::grid(side);
            case Map3Id::kLambda3Grid:
                return Lambda3Grid<SqrtRoot>::grid(side);
            case Map3Id::kLambda3:
            case Map3Id::kHadouken3:
                break;
        }
        return {tetrahedral(side), 1, 1};
    }

    ORRERY_HD TileTriple operator()(Block3 block, std::uint32_t side) const {
        switch (map) {
            case Map3Id::kCube:
                return BoundingCube{}(block, side);
            case Map3Id::kLambda3:
                return rooted<Lambda3>(block, side);
            case Map3Id::kLambda3Grid:
                return rooted<Lambda3Grid>(block, side);
            case Map3Id::kHadouken3:
                return Hadouken3{}(block, side);
        }
        return {side, side, side};  // no such map: no work
    }

private:
    template <template <class> class Map>
    ORRERY_HD TileTriple rooted(Block3 block, std::uint32_t side) const {
        switch (root) {
            case RootId::kSqrt:
                break;
            case RootId::kNewton:
                return Map<NewtonRoot>{}(block, side);
            case RootId::kRsqrt:
                return Map<RsqrtRoot>{}(block, side);
            case RootId::kFp64:
                return Map<Fp64Root>{}(block, side);
        }
        return Map<SqrtRoot>{}(block, side);
    }
};

}  // namespace orrery
