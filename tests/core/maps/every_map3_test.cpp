// SPDX-License-Identifier: MIT
// One contract for every map of the 3-simplex with every root: each triple i ≤ j ≤ k comes from exactly one block.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <vector>

#include "core/base/error.hpp"
#include "core/maps/maps.hpp"
#include "tests/core/maps/inverse3.hpp"
#include "tests/core/maps/map_cases.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

AnyMap3 any(const CaseOf<Map3Entry>& c) { return {c.map->map, c.root->root}; }

/// ⌈T^(1/3)⌉ by counting up.
u64 edge_of(u64 triples) {
    u64 edge = 0;
    while (edge * edge * edge < triples) ++edge;
    return edge;
}

u64 expected_waste3(Map3Id map, u64 m) {
    const u64 triples = m * (m + 1) * (m + 2) / 6, edge = edge_of(triples);
    if (map == map3_id<BoundingCube>) return m * m * m - triples;
    return map == map3_id<Rooted<Lambda3Grid>> ? edge * edge * edge - triples : 0;
}

class EveryMap3 : public ::testing::TestWithParam<CaseOf<Map3Entry>> {};

TEST_P(EveryMap3, ProducesEachTripleOnce) {
    const AnyMap3 map = any(GetParam());
    for (std::uint32_t m = 1; m <= 64; ++m) {
        const Grid3 grid = map.grid(m);
        std::vector<int> blocks(std::size_t{m} * m * m);
        u64 wasted = 0;
        for (u64 index = 0; index < grid.count(); ++index) {
            const TileTriple t = map(block_at(grid, index), m);
            if (useful(t, m))
                ++blocks[(std::size_t{t.k} * m + t.j) * m + t.i];
            else
                ++wasted;
        }
        for (std::uint32_t k = 0; k < m; ++k)
            for (std::uint32_t j = 0; j < m; ++j)
                for (std::uint32_t i = 0; i < m; ++i)
                    ASSERT_EQ(blocks[(std::size_t{k} * m + j) * m + i], i <= j && j <= k)
                        << "m " << m << ", triple " << i << ' ' << j << ' ' << k;
        ASSERT_EQ(wasted, expected_waste3(map.map, m)) << "m " << m;
    }
}

/// Numbers below m: around every power of two, both ends, and random ones.
std::vector<std::uint32_t> sample_below(std::uint32_t m, int by_lot) {
    std::set<std::uint32_t> numbers;
    for (u64 power = 1; power / 2 <= m; power *= 2)
        for (const u64 number : {power - 1, power, power + 1, m - std::min<u64>(power, m)})
            if (number < m) numbers.insert(static_cast<std::uint32_t>(number));
    std::mt19937 random{m};
    std::uniform_int_distribution<std::uint32_t> any{0, m - 1};
    for (int i = 0; i < by_lot; ++i) numbers.insert(any(random));
    return {numbers.begin(), numbers.end()};
}

TEST_P(EveryMap3, IsExactAtEdgesOfLargeSimplices) {
    const AnyMap3 map = any(GetParam());
    // The number of triples exceeds 2³² from 2953 layers on, and 2⁵⁷ at the last number.
    for (const std::uint32_t m : {65u,        100u,     127u,          128u,
                                  129u,       1000u,    kNarrowLayers, kNarrowLayers + 1,
                                  2952u,      2953u,    2954u,         4096u,
                                  32767u,     32768u,   32769u,        65536u,
                                  100'003u,   524'287u, 524'289u,      kMostLayers - 1,
                                  kMostLayers}) {
        const Grid3 grid = map.grid(m);
        if (map.map == map3_id<Rooted<Lambda3>> || map.map == map3_id<Hadouken3>) {
            ASSERT_EQ(grid.count(), tetrahedral(m));
        }
        for (const std::uint32_t k : sample_below(m, 60))
            for (const std::uint32_t j : {0u, k / 3, k - std::min(k, 1u), k})
                for (const std::uint32_t i : {0u, j / 2, j}) {
                    const TileTriple t{i, j, k};
                    const Block3 block = block_of(map.map, t, m, grid);
                    ASSERT_TRUE(block.x < grid.x && block.y < grid.y && block.z < grid.z) << m;
                    ASSERT_EQ(map(block, m), t) << m << ": " << i << ' ' << j << ' ' << k;
                }
    }
}

TEST_P(EveryMap3, IsExactAtAllLayerEdges) {
    const AnyMap3 map = any(GetParam());
    const Grid3 grid = map.grid(kMostLayers);
    for (std::uint32_t k = 0; k < kMostLayers; k += k < 4096 || k + 1000 > kMostLayers ? 1 : everyday(5u, 1u))
        for (const TileTriple t : {TileTriple{0, 0, k}, TileTriple{k, k, k}})
            ASSERT_EQ(map(block_of(map.map, t, kMostLayers, grid), kMostLayers), t) << k;
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryMap3, ::testing::ValuesIn(every_case(simplex3_maps())), map_case_name<Map3Entry>);

template <class Map>
void expect_same(const Map& functor, AnyMap3 any) {
    EXPECT_EQ(simplex3_map(Map::name).map, any.map);
    for (const std::uint32_t m : {1u, 2u, 16u, 23u}) {
        const Grid3 grid = Map::grid(m);
        ASSERT_EQ(grid.x, any.grid(m).x);
        ASSERT_EQ(grid.y, any.grid(m).y);
        ASSERT_EQ(grid.z, any.grid(m).z);
        for (u64 index = 0; index < grid.count(); ++index)
            ASSERT_EQ(functor(block_at(grid, index), m), any(block_at(grid, index), m)) << Map::name << ' ' << index;
    }
}

template <Root R>
void expect_same_rooted(RootId id) {
    expect_same(Lambda3<R>{}, {map3_id<Rooted<Lambda3>>, id});
    expect_same(Lambda3Grid<R>{}, {map3_id<Rooted<Lambda3Grid>>, id});
}

TEST(AnyMap3, MatchesTheNamedMap) {
    expect_same(BoundingCube{}, {map3_id<BoundingCube>});
    expect_same(Hadouken3{}, {map3_id<Hadouken3>});
    expect_same_rooted<SqrtRoot>(root_id<SqrtRoot>);
    expect_same_rooted<NewtonRoot>(root_id<NewtonRoot>);
    expect_same_rooted<RsqrtRoot>(root_id<RsqrtRoot>);
    expect_same_rooted<Fp64Root>(root_id<Fp64Root>);
    EXPECT_THROW(simplex3_map("lambda"), Error);
}

TEST(LayerOf, IsExactForPoorProposals) {
    for (const u64 layer : {0u, 1u, 2u, 3u, 10u, 100u, 12345u, kMostLayers - 1})
        for (const u64 omega : {tetrahedral(layer), tetrahedral(layer + 1) - 1})
            for (u64 proposal = layer / 2; proposal <= 2 * layer + 2; proposal += 1 + layer / 300)
                ASSERT_EQ(layer_of(omega, proposal), layer) << omega << ' ' << proposal;
}

TEST(CubicSide, IsTheSmallestSufficientSide) {
    for (std::uint32_t m = 0; m <= 2000; ++m) ASSERT_EQ(cubic_side(m), edge_of(tetrahedral(m))) << m;
    for (const std::uint32_t m : sample_below(kMostLayers, 2000)) {
        const u64 edge = cubic_side(m), triples = tetrahedral(m);
        ASSERT_GE(edge * edge * edge, triples) << m;
        if (edge > 0) {
            ASSERT_LT((edge - 1) * (edge - 1) * (edge - 1), triples) << m;
        }
    }
}

TEST(Hadouken3, CoreOfAPowerOfTwoIsARectangle) {
    for (std::uint32_t n = 2; n <= 1024; n *= 2) EXPECT_EQ(u64{Hadouken3::core_rows(n)} * (n / 2), tetrahedral(n)) << n;
}

/// The claims of docs/maps.md about the map without integer correction.
TEST(Lambda3Published, HasTheRangeStatedInTheDocumentation) {
    std::ifstream file{ORRERY_MAPS_PAGE};
    std::ostringstream page;
    page << file.rdbuf();
    constexpr std::uint32_t kScanned = kMostLayers;
    const auto expect = [&](std::string_view arithmetic, std::string_view epsilon, std::uint32_t first) {
        const std::string found = first == kScanned ? fmt::format("none below {}", kScanned) : fmt::to_string(first);
        const std::string line = fmt::format("| {} | {} | {} |", arithmetic, epsilon, found);
        EXPECT_NE(page.str().find(line), std::string::npos) << "docs/maps.md should say " << line;
    };
    expect("float", "0", first_wrong_layer<float>(0, kScanned));
    expect("float", "1e-4", first_wrong_layer<float>(1e-4f, kScanned));
    expect("double", "0", first_wrong_layer<double>(0, kScanned));
    expect("double", "1e-4", first_wrong_layer<double>(1e-4, kScanned));
}

}  // namespace
}  // namespace orrery::test
