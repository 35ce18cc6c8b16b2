// SPDX-License-Identifier: MIT
// Every map of pairs and triples with every root, at random sizes: blocks and tiles correspond one to one.
#include "core/maps/maps.hpp"
#include "tests/core/maps/inverse3.hpp"
#include "tests/core/maps/map_cases.hpp"
#include "tests/support/property.hpp"

namespace orrery::test {
namespace {

constexpr Cases kSizes{100, 20'000};
constexpr int kSamples = 16;  // at each size

/// A number below `end`: an end of the row, where roots err, or any.
std::uint32_t any_place(std::uint32_t end) {
    const int where = any_in(0, 3);
    return where == 0 ? 0 : where == 1 ? end - 1 : any_in<std::uint32_t>(0, end);
}

std::vector<CaseOf<MapEntry>> all_maps() {
    std::vector<CaseOf<MapEntry>> cases = every_case(maps());
    for (const MapEntry& entry : study_maps()) add_cases(cases, entry);
    return cases;
}

class MapProperties : public ::testing::TestWithParam<CaseOf<MapEntry>> {
protected:
    /// The largest size for which it is exact, or its table is small.
    std::uint32_t most() const {
        if (GetParam().map->reads_table) return 700;
        return exact_rows(*GetParam().map, GetParam().root->root, Backend::kCpu);
    }
};

/// A tile of the domain comes from the block that the inverse returns; a block gives a tile of which it is the inverse,
/// or none if the map wastes blocks.
TEST_P(MapProperties, BlocksAndTilesCorrespond) {
    check(kSizes, [this] {
        const auto rows = any_scale<std::uint32_t>(most());
        const MapPlan plan{*GetParam().map, *GetParam().root, rows};
        const Grid grid = plan.grid();
        const MapId id = GetParam().map->map;
        RC_ASSERT(plan.launched() - plan.wasted() == triangular(rows));
        for (int sample = 0; sample < kSamples; ++sample) {
            const auto row = any_in<std::uint32_t>(0, rows);
            const Tile tile{row, any_place(row + 1)};
            const Block from = block_of(id, tile, rows, grid);
            RC_ASSERT((from.x < grid.x && from.y < grid.y));
            RC_ASSERT(plan.tile(from) == tile);

            const Block block = block_at(grid, any_in<std::uint64_t>(0, grid.count()));
            const Tile to = plan.tile(block);
            if (useful(to, rows))
                RC_ASSERT(block_of(id, to, rows, grid) == block);
            else
                RC_ASSERT(plan.wasted() > 0);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Menu, MapProperties, ::testing::ValuesIn(all_maps()), map_case_name<MapEntry>);

class Map3Properties : public ::testing::TestWithParam<CaseOf<Map3Entry>> {};

TEST_P(Map3Properties, BlocksAndTriplesCorrespond) {
    check(kSizes, [this] {
        const AnyMap3 map{GetParam().map->map, GetParam().root->root};
        const auto side = any_scale<std::uint32_t>(kMostLayers);
        const Grid3 grid = map.grid(side);
        RC_ASSERT(grid.count() >= tetrahedral(side));
        for (int sample = 0; sample < kSamples; ++sample) {
            const auto k = any_in<std::uint32_t>(0, side), j = any_place(k + 1);
            const TileTriple triple{any_place(j + 1), j, k};
            const Block3 from = block_of(map.map, triple, side, grid);
            RC_ASSERT((from.x < grid.x && from.y < grid.y && from.z < grid.z));
            RC_ASSERT(map(from, side) == triple);

            const Block3 block = block_at(grid, any_in<std::uint64_t>(0, grid.count()));
            const TileTriple to = map(block, side);
            if (useful(to, side))
                RC_ASSERT(block_of(map.map, to, side, grid) == block);
            else
                RC_ASSERT(grid.count() > tetrahedral(side));
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Menu, Map3Properties, ::testing::ValuesIn(every_case(simplex3_maps())),
                         map_case_name<Map3Entry>);

}  // namespace
}  // namespace orrery::test
