// SPDX-License-Identifier: MIT
#include "core/maps/picture3.hpp"

#include <cmath>

#include "core/maps/maps.hpp"

namespace orrery {

Map3Counts counts(const Map3Entry& map, std::uint64_t side) {
    const auto layers = static_cast<std::uint32_t>(side);
    return {AnyMap3{.map = map.map}.grid(layers).count(), tetrahedral(layers)};
}

Map3Picture::Map3Picture(std::string_view map, std::string_view root_id, std::uint32_t side)
    : map_{map}, root_{root_id}, side_{side} {
    const AnyMap3 walked{simplex3_map(map).map, orrery::root(root_id).root};
    const Grid3 grid = walked.grid(side);
    const auto count = static_cast<std::uint32_t>(grid.count());
    const bool line = grid.y == 1 && grid.z == 1;
    columns_ = line ? static_cast<std::uint32_t>(std::ceil(std::sqrt(count))) : static_cast<std::uint32_t>(grid.x);
    lines_ = line ? (count + columns_ - 1) / columns_ : static_cast<std::uint32_t>(grid.y);
    slices_ = static_cast<std::uint32_t>(grid.z);
    triples_.reserve(count);
    blocks_.resize(tetrahedral(side));
    for (std::uint64_t z = 0; z < grid.z; ++z)
        for (std::uint64_t y = 0; y < grid.y; ++y)
            for (std::uint64_t x = 0; x < grid.x; ++x) {
                const TileTriple triple = walked({x, y, z}, side);
                if (orrery::useful(triple, side)) blocks_[place_of(triple)] = blocks();
                triples_.push_back(triple);
            }
}

std::uint64_t Map3Picture::place_of(TileTriple t) { return tetrahedral(t.k) + triangular(t.j) + t.i; }

}  // namespace orrery
