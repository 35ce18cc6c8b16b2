// SPDX-License-Identifier: MIT
#include "core/spatial/keys.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "core/spatial/keys.hpp"

namespace orrery::test {
namespace {

std::uint32_t steps_between(GridPoint a, GridPoint b) {
    const auto apart = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
    return apart(a.x, b.x) + apart(a.y, b.y) + apart(a.z, b.z);
}

GridPoint any_cell(std::mt19937_64& random) {
    const auto coordinate = [&] { return static_cast<std::uint32_t>(random() % kKeyCells); };
    return {coordinate(), coordinate(), coordinate()};
}

TEST(HilbertKeys, StartAtTheOriginAndMoveToAdjacentCells) {
    EXPECT_EQ(hilbert_key({0, 0, 0}), 0u);
    for (std::uint64_t key = 0; key < 5000; ++key)
        ASSERT_EQ(steps_between(hilbert_cell(key), hilbert_cell(key + 1)), 1u) << key;
    std::mt19937_64 random{1};
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t key = random() % (kKeyEnd - 1);
        ASSERT_EQ(steps_between(hilbert_cell(key), hilbert_cell(key + 1)), 1u) << key;
    }
}

TEST(HilbertKeys, AreInvertible) {
    std::mt19937_64 random{2};
    for (int i = 0; i < 20000; ++i) {
        const GridPoint cell = any_cell(random);
        const std::uint64_t key = hilbert_key(cell);
        ASSERT_LT(key, kKeyEnd);
        ASSERT_EQ(hilbert_cell(key), cell);
    }
    for (const std::uint32_t x : {0u, kKeyCells - 1})
        for (const std::uint32_t y : {0u, kKeyCells - 1})
            for (const std::uint32_t z : {0u, kKeyCells - 1})
                EXPECT_EQ(hilbert_cell(hilbert_key({x, y, z})), (GridPoint{x, y, z}));
}

TEST(HilbertKeys, AreOneToOneAtEveryLevel) {
    for (const int level : {1, 2, 3, 4}) {
        const std::uint64_t cells = std::uint64_t{1} << 3 * level;
        std::set<std::uint64_t> seen;
        for (std::uint64_t k = 0; k < cells; ++k) {
            const GridPoint cell = cell_of(k * keys_in_cell(level), level);
            EXPECT_LT(std::max({cell.x, cell.y, cell.z}), 1u << level);
            seen.insert((std::uint64_t{cell.x} << level | cell.y) << level | cell.z);
        }
        EXPECT_EQ(seen.size(), cells);
    }
}

TEST(HilbertKeys, OfFewerLevelsArePrefixesOfFullKeys) {
    std::mt19937_64 random{4};
    for (int i = 0; i < 2000; ++i) {
        const GridPoint cell = any_cell(random);
        const std::uint64_t whole = hilbert_key(cell);
        for (int levels = 1; levels <= kKeyLevels; ++levels)
            ASSERT_EQ(hilbert_key(cell, levels), first_key(whole, levels)) << levels;
    }
}

TEST(HilbertKeys, EncodeTheirCellInTheirPrefix) {
    std::mt19937_64 random{3};
    for (int i = 0; i < 20000; ++i) {
        const GridPoint cell = any_cell(random);
        const std::uint64_t key = hilbert_key(cell);
        std::uint64_t together = 0;
        for (int level = 0; level < kKeyLevels; ++level) {
            const int shift = kKeyLevels - level;
            ASSERT_EQ(cell_of(key, level), (GridPoint{cell.x >> shift, cell.y >> shift, cell.z >> shift}));
            ASSERT_LE(first_key(key, level), key);
            ASSERT_LT(key - first_key(key, level), keys_in_cell(level));
            together = together << 3 | octant(key, level);
        }
        ASSERT_EQ(together, key);
    }
}

TEST(HilbertKeys, AreEqualInVectors) {
    std::mt19937_64 random{4};
    for (const std::size_t count : {1, 7, 8, 9, 64}) {
        alignas(64) std::uint32_t x[64] = {}, y[64] = {}, z[64] = {};
        for (std::size_t i = 0; i < count; ++i) {
            const GridPoint cell = any_cell(random);
            x[i] = cell.x, y[i] = cell.y, z[i] = cell.z;
        }
        std::vector<std::uint64_t> keys(count + 1, 42);
        hilbert_keys(x, y, z, count, keys.data());
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(keys[i], hilbert_key({x[i], y[i], z[i]})) << i;
        EXPECT_EQ(keys[count], 42u) << "nothing is written beyond the end";
    }
}

template <class Real>
class KeyGrids : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(KeyGrids, Reals);

TYPED_TEST(KeyGrids, KeepOrderAtAnyScale) {
    using Real = TypeParam;
    for (const double scale : {1e-37, 1e-15, 1.0, 1e15, 1e37}) {
        const auto side = static_cast<Real>(scale);
        const Vec3<Real> low{-side / 2, side, 0};
        const KeyGrid<Real> grid = key_grid(low, side);
        std::uint32_t last = 0;
        for (int i = 0; i <= 1000; ++i) {
            const Real at = low.x + side * (static_cast<Real>(i) / 1000);
            const GridPoint cell = grid({at, low.y, side});
            ASSERT_GE(cell.x, last) << scale;
            ASSERT_EQ(cell.y, 0u);
            last = cell.x;
        }
        if (scale > 1e-30) {  // for smaller scales a float cannot represent the number of cells per length
            EXPECT_EQ(last, kKeyCells - 1) << scale;
            EXPECT_EQ(grid({low.x, low.y, side}).z, kKeyCells - 1) << scale;
        }
    }
}

TYPED_TEST(KeyGrids, ClampPositionsOutsideTheCube) {
    using Real = TypeParam;
    const Real nan = std::numeric_limits<Real>::quiet_NaN(), infinite = std::numeric_limits<Real>::infinity();
    const KeyGrid<Real> grid = key_grid(Vec3<Real>{0, 0, 0}, Real(1));
    EXPECT_EQ(grid({nan, -5, 7}), (GridPoint{0, 0, kKeyCells - 1}));
    EXPECT_EQ(grid({infinite, -infinite, 0}), (GridPoint{kKeyCells - 1, 0, 0}));
    for (const Real side : {Real(0), nan, infinite}) {
        const KeyGrid<Real> point = key_grid(Vec3<Real>{3, 3, 3}, side);
        EXPECT_EQ(point({3, 3, 3}), (GridPoint{0, 0, 0})) << side;
    }
}

TYPED_TEST(KeyGrids, ReturnTheCornersOfCells) {
    using Real = TypeParam;
    const Vec3<Real> low{-2, 4, 8}, at{-1.75, 7.5, 8};  // at a sixteenth, seven eighths and zero of the side
    const std::uint64_t key = key_of(key_grid(low, Real(4)), at);
    EXPECT_EQ(cell_corner(key, 0, low, Real(4)), low);
    EXPECT_EQ(cell_corner(key, 1, low, Real(4)), (Vec3<Real>{-2, 6, 8}));
    EXPECT_EQ(cell_corner(key, 3, low, Real(4)), (Vec3<Real>{-2, 7.5, 8}));
    EXPECT_EQ(cell_corner(key, 4, low, Real(4)), (Vec3<Real>{-1.75, 7.5, 8}));
}

}  // namespace
}  // namespace orrery::test
