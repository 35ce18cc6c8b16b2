// SPDX-License-Identifier: MIT
// One contract for every map with every root: each tile of the domain comes from exactly one block.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "core/base/error.hpp"
#include "core/maps/any_map.hpp"
#include "core/maps/maps.hpp"
#include "tests/core/maps/inverse.hpp"
#include "tests/core/maps/map_cases.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

constexpr std::uint32_t kLutRows = 4097;  // a table of 67 MB

using MapCase = CaseOf<MapEntry>;

std::uint32_t most_rows(const MapCase& c) { return c.map->map == map_id<Lut> ? kLutRows : kMostRows; }

/// ⌈√M⌉ by counting up.
u64 side_of(u64 tiles) {
    u64 side = 0;
    while (side * side < tiles) ++side;
    return side;
}

/// The wastes that the map itself declares.
Wastes wastes_of(MapId map) {
    Wastes wastes{};
    with_type<Maps>(static_cast<std::size_t>(map), [&]<class Listed>() { wastes = Sample<Listed>::wastes; });
    return wastes;
}

/// True if a map that declares `wastes` may assign this tile without work to a block.
bool may_waste(Wastes wastes, Tile tile, std::uint32_t m) {
    if (wastes == Wastes::kAboveDiagonal) return tile.row < m && tile.col < m && tile.row < tile.col;
    return wastes == Wastes::kAnything;
}

class EveryMap : public ::testing::TestWithParam<MapCase> {};

TEST_P(EveryMap, GivesStripsTheTilesOfTheirBlocks) {
    const auto [map, root] = GetParam();
    for (const std::uint32_t m : {1u, 2u, 3u, 8u, 33u, 100u})
        for (const std::uint32_t strip : {1u, 2u, 7u, 64u, 1u << 14}) {
            const MapPlan plan{*map, *root, m};
            u64 next = 0;
            for (u64 index = 0; index * strip < plan.launched(); ++index)
                for (TileStrip tiles{plan.map(), plan.grid(), m, strip, index}; tiles.more(); tiles.advance())
                    ASSERT_EQ(tiles.tile(), plan.tile(block_at(plan.grid(), next++))) << "m " << m << ", k " << strip;
            EXPECT_EQ(next, plan.launched());
        }
}

TEST_P(EveryMap, ProducesEachTileOnce) {
    const auto [map, root] = GetParam();
    const auto step = [](std::uint32_t m) { return m < 80 ? 1u : everyday(9u, 1u); };
    for (std::uint32_t m = 1; m <= 300; m += step(m)) {
        const MapPlan plan{*map, *root, m};
        std::vector<int> blocks(std::size_t{m} * m);
        u64 wasted = 0;
        for (u64 index = 0; index < plan.launched(); ++index) {
            const Tile tile = plan.tile(block_at(plan.grid(), index));
            if (useful(tile, m)) {
                ++blocks[std::size_t{tile.row} * m + tile.col];
                continue;
            }
            ++wasted;
            ASSERT_TRUE(may_waste(wastes_of(map->map), tile, m))
                << "m " << m << ", tile " << tile.row << ' ' << tile.col << " is not among Map::wastes";
        }
        for (std::uint32_t row = 0; row < m; ++row)
            for (std::uint32_t col = 0; col < m; ++col)
                ASSERT_EQ(blocks[std::size_t{row} * m + col], col <= row)
                    << "m " << m << ", tile " << row << ' ' << col;
        ASSERT_EQ(plan.wasted(), wasted) << "m " << m;
    }
}

/// Rows below m that are checked: around every power of two, both ends, and 500 random ones.
std::vector<std::uint32_t> sample_rows(std::uint32_t m) {
    std::set<std::uint32_t> rows;
    for (u64 power = 1; power / 2 <= m; power *= 2)
        for (const u64 row : {power - 1, power, power + 1, m - std::min<u64>(power, m)})
            if (row < m) rows.insert(static_cast<std::uint32_t>(row));
    std::mt19937 random{m};
    std::uniform_int_distribution<std::uint32_t> any{0, m - 1};
    for (int i = 0; i < 500; ++i) rows.insert(any(random));
    return {rows.begin(), rows.end()};
}

TEST_P(EveryMap, IsExactAtRowEdgesOfLargeTriangles) {
    const auto [map, root] = GetParam();
    for (int power = 1; power <= 31; ++power)
        for (const int off : {-1, 0, 1}) {
            const auto m = static_cast<std::uint32_t>((1ll << power) + off);
            if (m > most_rows(GetParam())) continue;
            const MapPlan plan{*map, *root, m};
            if (wastes_of(map->map) == Wastes::kNothing) {
                ASSERT_EQ(plan.launched(), triangular(m)) << m;
            }
            for (const std::uint32_t row : sample_rows(m))
                ASSERT_EQ(wrong_edges(plan.map(), row, m), 0) << m << ' ' << row;
        }
}

TEST_P(EveryMap, IsExactAtAllRowEdges) {
    const auto [map, root] = GetParam();
    for (const std::uint32_t m : {kLutRows, kNarrowRows, kNarrowRows + 1, (1u << 20) + 1}) {
        if (m > most_rows(GetParam())) continue;
        const MapPlan plan{*map, *root, m};
        u64 wrong = 0;
        for (std::uint32_t row = 0; row < m; row += row < (1u << 16) || row > m - 1000 ? 1 : everyday(7u, 1u))
            wrong += wrong_edges(plan.map(), row, m);
        EXPECT_EQ(wrong, 0) << m;
    }
}

TEST(WastedBlocks, MatchTheFormulasOfThePapers) {
    for (std::uint32_t m = 1; m <= 300; ++m) {
        EXPECT_EQ((MapPlan{map("bb"), root("sqrt"), m}.wasted()), u64{m} * (m - 1) / 2) << m;
        const u64 tiles = triangular(m), side = side_of(tiles);
        ASSERT_TRUE(tiles <= side * side && side * side - tiles < 2 * side) << m;
        EXPECT_EQ((MapPlan{map("lambda-grid"), root("sqrt"), m}.wasted()), side * side - tiles) << m;
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryMap, ::testing::ValuesIn(every_case(maps())), map_case_name<MapEntry>);

/// AnyMap must equal the functor it names: same grid, same tile for every block.
template <class Map>
void expect_same(const Map& functor, AnyMap any) {
    EXPECT_EQ(map(Map::name).map, any.map);
    for (const std::uint32_t m : {1u, 2u, 37u, 64u, 101u}) {
        const Grid grid = Map::grid(m);
        ASSERT_EQ(grid.x, any.grid(m).x) << Map::name << ' ' << m;
        ASSERT_EQ(grid.y, any.grid(m).y) << Map::name << ' ' << m;
        for (u64 index = 0; index < grid.count(); ++index)
            ASSERT_EQ(functor(block_at(grid, index), m), any(block_at(grid, index), m)) << Map::name << ' ' << index;
    }
}

template <Root R>
void expect_same_rooted(RootId id) {
    EXPECT_EQ(root(R::name).root, id);
    expect_same(Lambda<R>{}, {map_id<Rooted<Lambda>>, id});
    expect_same(LambdaGrid<R>{}, {map_id<Rooted<LambdaGrid>>, id});
    expect_same(LambdaStrict<R>{}, {map_id<Rooted<LambdaStrict>>, id});
    expect_same(Utm<R>{}, {map_id<Rooted<Utm>>, id});
    expect_same(LambdaPublished<R>{}, {map_id<Rooted<LambdaPublished>>, id});
    expect_same(LambdaOffset<R>{}, {map_id<Rooted<LambdaOffset>>, id});
    expect_same(LambdaPublishedGrid<R>{}, {map_id<Rooted<LambdaPublishedGrid>>, id});
}

TEST(AnyMap, MatchesTheNamedMap) {
    expect_same_rooted<SqrtRoot>(root_id<SqrtRoot>);
    expect_same_rooted<NewtonRoot>(root_id<NewtonRoot>);
    expect_same_rooted<RsqrtRoot>(root_id<RsqrtRoot>);
    expect_same_rooted<Fp64Root>(root_id<Fp64Root>);
    expect_same_rooted<ApproximateRoot>(root_id<ApproximateRoot>);
    expect_same(BoundingBox{}, {map_id<BoundingBox>});
    expect_same(RectangularBox{}, {map_id<RectangularBox>});
    expect_same(Recursive{}, {map_id<Recursive>});
    expect_same(Hadouken{}, {map_id<Hadouken>});
    const std::vector<Tile> table = lut_table(101);
    expect_same(Lut{table.data()}, {.map = map_id<Lut>, .table = table.data()});
}

/// Eq. 5 of 001 with j = ω − i(i − 1)/2: every tile below the diagonal in row order, then the diagonal.
TEST(LambdaStrict, OrdersTilesBelowTheDiagonalFirst) {
    std::uint32_t row = 1, col = 0;
    for (u64 k = 0; k < LambdaStrict<SqrtRoot>::below(200); ++k) {
        ASSERT_EQ((LambdaStrict<SqrtRoot>{}(Block{k, 0}, 200)), (Tile{row, col})) << k;
        if (++col == row) ++row, col = 0;
    }
    EXPECT_EQ(row, 200u);
    EXPECT_EQ((LambdaStrict<SqrtRoot>{}(Block{LambdaStrict<SqrtRoot>::below(200) + 7, 0}, 200)), (Tile{7, 7}));
}

TEST(RowOf, IsExactForPoorProposals) {
    for (u64 row = 0; row < 3000; ++row)
        for (const u64 k : {row_order(row, 0), row_order(row, row)})
            for (u64 proposal = row / 2; proposal <= 2 * row + 2; proposal += 1 + row / 40) {
                ASSERT_EQ(row_of(k, proposal), row) << k << ' ' << proposal;
                ASSERT_EQ(row_of(static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(proposal)), row);
            }
}

/// A root with three bits of precision: the integer correction alone keeps λ and UTM exact.
struct PoorRoot {
    using Real = float;
    static constexpr std::string_view name = "poor";
    template <class T>
    T operator()(T x) const {
        const T root = std::sqrt(x), unit = std::exp2(std::floor(std::log2(root)) - 3);
        return std::floor(root / unit) * unit;
    }
};

TEST(RowOf, CorrectsAPoorRoot) {
    for (const std::uint32_t m : {1u, 2u, 100u, kNarrowRows, kNarrowRows + 1, 1u << 20, kMostRows})
        for (const std::uint32_t row : sample_rows(m))
            for (const Tile tile : {Tile{row, 0}, Tile{row, row}}) {
                ASSERT_EQ(Lambda<PoorRoot>{}(Block{row_order(row, tile.col), 0}, m), tile) << m;
                ASSERT_EQ(Utm<PoorRoot>{}(Block{inverse_utm(tile, m), 0}, m), tile) << m;
            }
}

/// A root with the largest error allowed for a NearRoot, to one side.
template <int Sign>
struct RootAtItsLimit {
    using Real = float;
    static constexpr std::string_view name = "limit";
    template <class T>
    T operator()(T x) const {
        return near(x);
    }
    static float near(float x) { return static_cast<float>(std::sqrt(double{x}) * (1 + Sign * 0x1p-22)); }
    static double near(double x) { return std::sqrt(x) * (1 + Sign * 0x1p-22); }
};

template <class R>
void expect_narrow_exact() {
    std::uint32_t row = 0;
    for (std::uint32_t k = 0; k < triangular(kNarrowRows + 2); k += 61) {
        while (triangular(row + 1) <= k) ++row;
        ASSERT_EQ(lambda_narrow<R>(static_cast<std::int32_t>(k)),
                  (Tile{row, k - static_cast<std::uint32_t>(triangular(row))}))
            << R::name << ' ' << k;
    }
    for (row = 0; row < kNarrowRows + 2; ++row)
        for (const std::uint32_t col : {0u, 1u, row / 2, row - std::min(row, 1u), row})
            if (col <= row) {
                ASSERT_EQ(lambda_narrow<R>(static_cast<std::int32_t>(triangular(row) + col)), (Tile{row, col}));
            }
}

TEST(Narrow, IsExactForAnyNearRoot) {
    expect_narrow_exact<SqrtRoot>();
    expect_narrow_exact<NewtonRoot>();
    expect_narrow_exact<RsqrtRoot>();
    expect_narrow_exact<Fp64Root>();
    expect_narrow_exact<ApproximateRoot>();
    expect_narrow_exact<RootAtItsLimit<1>>();
    expect_narrow_exact<RootAtItsLimit<-1>>();
}

/// Every level starts at its first tile, for every m.
TEST(Recursive, FindsEveryLevelOfEveryTriangle) {
    for (std::uint32_t m = 2; m <= kNarrowRows; m += m < 2000 ? 1 : 37)
        for (int level = 0; (1u << level) < m; ++level)
            for (const u64 k : {Recursive::begin(level, m), Recursive::begin(level + 1, m) - 1}) {
                const Tile tile = Recursive{}(Block{k, 0}, m);
                ASSERT_EQ(std::bit_width(tile.row ^ tile.col), static_cast<unsigned>(level) + 1) << m << ' ' << k;
            }
}

TEST(Recursive, LevelsAreSquaresOfTheirSide) {
    for (const std::uint32_t m : {1u, 2u, 11u, 64u, 100u})
        for (int level = 0; (1u << level) < m; ++level)
            for (u64 k = Recursive::begin(level, m); k < Recursive::begin(level + 1, m); ++k) {
                const Tile tile = Recursive{}(Block{k, 0}, m);
                ASSERT_EQ(std::bit_width(tile.row ^ tile.col), static_cast<unsigned>(level) + 1) << m << ' ' << k;
            }
}

TEST(Hadouken, MatchesThePublishedMapForPowersOfTwo) {
    for (std::uint32_t n = 2; n <= 64; n *= 2) {
        EXPECT_EQ(Hadouken::grid(n).x, n / 2);
        EXPECT_EQ(Hadouken::grid(n).y, n + 1);
        for (std::uint32_t y = 0; y + 2 <= n; ++y)
            for (std::uint32_t x = 0; x < n / 2; ++x) {
                const std::uint32_t b = std::bit_floor(y + 1), q = x / b;
                ASSERT_EQ((Hadouken{}(Block{x, y}, n)), (Tile{y + 1 + 2 * q * b, x + q * b})) << n;
            }
    }
}

TEST(MapPlan, TableIsTheTriangleInRowOrder) {
    EXPECT_EQ(lut_table(3), (std::vector<Tile>{{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}));
}

TEST(MapPlan, RefusesInvalidPlans) {
    EXPECT_THROW(plan("lambda", "sqrt", 0), Error);
    EXPECT_THROW(plan("lambda", "sqrt", kMostRows + 1), Error);
    EXPECT_THROW(plan("lamda", "sqrt", 1), Error);
    EXPECT_THROW(plan("lambda", "cube", 1), Error);
    EXPECT_THROW(plan("lut", "sqrt", kMostRows), Error);  // 18 EB
    EXPECT_EQ(plan("lambda-published", "newton", 1622).wasted(), 0);
    try {
        plan("lambda-published", "newton", 1623);
        FAIL() << "beyond its range";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "map lambda-published with root newton is exact up to 1622 rows of tiles on cpu, not for 1623");
    }
}

TEST(MapPlan, CopyOwnsItsTable) {
    MapPlan copy = plan("bb", "sqrt", 1);
    {
        const MapPlan lut = plan("lut", "sqrt", 50);
        copy = lut;
    }
    EXPECT_EQ(copy.tile(Block{50 * 51 / 2 - 1, 0}), (Tile{49, 49}));
}

}  // namespace
}  // namespace orrery::test
