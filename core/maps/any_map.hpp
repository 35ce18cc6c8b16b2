// SPDX-License-Identifier: MIT
#pragma once
#include "core/maps/bb.hpp"
#include "core/maps/hadouken.hpp"
#include "core/maps/lambda.hpp"
#include "core/maps/lut.hpp"
#include "core/maps/published.hpp"
#include "core/maps/rb.hpp"
#include "core/maps/rec.hpp"
#include "core/maps/utm.hpp"

namespace orrery {

enum class MapId : std::uint8_t {
    kBoundingBox,
    kLambda,
    kLambdaGrid,
    kRectangularBox,
    kRecursive,
    kUtm,
    kLut,
    kHadouken,
    kLambdaStrict,     ///< not a TriangleMap: omits the diagonal
    kLambdaPublished,  ///< exact up to exact_rows() of maps.hpp
    kLambdaOffset,     ///< the same
};
enum class RootId : std::uint8_t { kSqrt, kNewton, kRsqrt, kFp64 };

/// Any map with any root as one object, chosen at run time: kernels take this, so that there is one kernel for all
/// maps. The map is the same for every block, so the branches cause no divergence.
struct AnyMap {
    MapId map = MapId::kLambda;
    RootId root = RootId::kSqrt;  ///< read only by maps that take one
    const Tile* table = nullptr;  ///< kLut's, in the memory where it runs

    ORRERY_HD Grid grid(std::uint32_t rows) const {
        switch (map) {
            case MapId::kBoundingBox:
                return BoundingBox::grid(rows);
            case MapId::kLambdaGrid:
                return LambdaGrid<SqrtRoot>::grid(rows);
            case MapId::kRectangularBox:
                return RectangularBox::grid(rows);
            case MapId::kHadouken:
                return Hadouken::grid(rows);
            case MapId::kLambdaStrict:
                return LambdaStrict<SqrtRoot>::grid(rows);
            case MapId::kLambda:
            case MapId::kRecursive:
            case MapId::kUtm:
            case MapId::kLut:
            case MapId::kLambdaPublished:
            case MapId::kLambdaOffset:
                break;
        }
        return {triangular(rows), 1};
    }

    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        switch (map) {
            case MapId::kBoundingBox:
                return BoundingBox{}(block, rows);
            case MapId::kLambda:
                return rooted<Lambda>(block, rows);
            case MapId::kLambdaGrid:
                return rooted<LambdaGrid>(block, rows);
            case MapId::kRectangularBox:
                return RectangularBox{}(block, rows);
            case MapId::kRecursive:
                return Recursive{}(block, rows);
            case MapId::kUtm:
                return rooted<Utm>(block, rows);
            case MapId::kLut:
                return Lut{table}(block, rows);
            case MapId::kHadouken:
                return Hadouken{}(block, rows);
            case MapId::kLambdaStrict:
                return rooted<LambdaStrict>(block, rows);
            case MapId::kLambdaPublished:
                return rooted<LambdaPublished>(block, rows);
            case MapId::kLambdaOffset:
                return rooted<LambdaOffset>(block, rows);
        }
        return {rows, 0};  // no such map: no work
    }

private:
    template <template <class> class Map>
    ORRERY_HD Tile rooted(Block block, std::uint32_t rows) const {
        switch (root) {
            case RootId::kSqrt:
                break;
            case RootId::kNewton:
                return Map<NewtonRoot>{}(block, rows);
            case RootId::kRsqrt:
                return Map<RsqrtRoot>{}(block, rows);
            case RootId::kFp64:
                return Map<Fp64Root>{}(block, rows);
        }
        return Map<SqrtRoot>{}(block, rows);
    }
};

}  // namespace orrery
