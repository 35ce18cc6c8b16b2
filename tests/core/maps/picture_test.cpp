// SPDX-License-Identifier: MIT
#include "core/maps/picture.hpp"

#include <gtest/gtest.h>

#include "core/base/bits.hpp"
#include "core/base/error.hpp"
#include "core/engines/choices.hpp"

namespace orrery::test {
namespace {

TEST(MapPicture, ShowsEachTileOnce) {
    for (const auto& [map, root] : every_map_and_root())
        for (const std::uint32_t m : {1u, 2u, 3u, 7u, 16u, 31u, 32u, 33u, 48u, 65u, 66u, 100u, 511u}) {
            SCOPED_TRACE(std::string{map} + ' ' + std::string{root} + ' ' + std::to_string(m));
            const MapPicture picture{map, root.empty() ? "sqrt" : root, m};
            std::vector<int> visits(triangular(picture.drawn()));
            std::uint32_t wasted = 0;
            for (std::uint32_t index = 0; index < picture.blocks(); ++index) {
                if (!picture.useful(index)) {
                    ++wasted;
                    continue;
                }
                const Tile tile = picture.tile(index);
                ++visits.at(triangular(tile.row) + tile.col);
                ASSERT_EQ(picture.block_of(tile), index);
            }
            for (const int visit : visits) ASSERT_EQ(visit, 1);
            const MapPlan drawn = plan(map, root.empty() ? "sqrt" : root, picture.drawn());
            EXPECT_EQ(wasted, drawn.wasted());
            EXPECT_EQ(picture.blocks(), drawn.launched());
            ASSERT_GE(std::uint64_t{picture.columns()} * picture.lines(), picture.blocks());
            EXPECT_LT(std::uint64_t{picture.columns()} * (picture.lines() - 1), picture.blocks());
        }
}

TEST(MapPicture, CountsLikeThePlan) {
    for (const MapEntry& map : maps())
        for (const std::uint32_t m : {1u, 2u, 5u, 63u, 64u, 65u, 1000u, 2048u}) {
            const MapPlan all = plan(map.id, "sqrt", m);
            const MapPicture picture{map.id, "sqrt", m};
            EXPECT_EQ(picture.true_counts().launched, all.launched()) << map.id << ' ' << m;
            EXPECT_EQ(picture.true_counts().useful, all.useful()) << map.id << ' ' << m;
            EXPECT_EQ(picture.true_counts().wasted(), all.wasted()) << map.id << ' ' << m;
        }
    EXPECT_EQ(MapPicture("lambda-strict", "sqrt", 5).true_counts().useful, 15u);
    EXPECT_DOUBLE_EQ(MapPicture("bb", "sqrt", 3).true_counts().waste(), 3.0 / 9);
    // A million bodies in tiles of 32: the table of `lut` would take 4 GB, but is not built.
    EXPECT_EQ(MapPicture("lut", "sqrt", 32768).true_counts().launched, 536'887'296u);
}

TEST(MapPicture, ReducesLargeTrianglesAndKeepsTheirParity) {
    for (std::uint32_t m = 1; m <= 40'000; ++m) {
        const std::uint32_t drawn = drawn_rows(m);
        ASSERT_LE(drawn, kMostDrawnRows) << m;
        if (m <= kMostDrawnRows) {
            ASSERT_EQ(drawn, m);
        } else {
            ASSERT_GE(drawn, 32u) << m;
            ASSERT_EQ(drawn % 2, m % 2) << m;
            ASSERT_EQ(is_power_of_two(drawn), is_power_of_two(m)) << m;
        }
    }
    EXPECT_EQ(drawn_rows(kMostRows), 63u);
}

TEST(MapPicture, FoldsALineIntoANearSquare) {
    const MapPicture box{"bb", "sqrt", 8}, line{"lambda", "sqrt", 8};
    EXPECT_FALSE(box.folded());
    EXPECT_EQ(box.columns(), 8u);
    EXPECT_EQ(box.lines(), 8u);
    EXPECT_TRUE(line.folded());
    EXPECT_EQ(line.columns(), 6u);  // 36 blocks
    EXPECT_EQ(line.lines(), 6u);
    EXPECT_EQ(MapPicture("lambda", "sqrt", 9).columns(), 7u);  // 45 blocks
    EXPECT_EQ(MapPicture("lambda", "sqrt", 9).lines(), 7u);
    EXPECT_FALSE(MapPicture("lambda", "sqrt", 1).folded()) << "one block";
}

TEST(MapPicture, RefusesInvalidPlans) {
    EXPECT_THROW(MapPicture("lambda", "sqrt", 0), Error);
    EXPECT_THROW(MapPicture("lamda", "sqrt", 5), Error);
}

TEST(MapPicture, ShowsWhereAPublishedMapIsWrong) {
    const MapPicture within{"lambda-published", "newton", 1622}, beyond{"lambda-published", "newton", 1700};
    EXPECT_FALSE(within.misplaced());
    ASSERT_TRUE(beyond.misplaced());
    EXPECT_EQ(beyond.misplaced()->wanted.row, 1622u);
    EXPECT_NE(beyond.misplaced()->wanted, beyond.misplaced()->found);
    const std::uint32_t drawn = beyond.drawn(), first = 1622u * drawn / 1700;
    for (std::uint32_t row = 0; row < first; ++row) EXPECT_FALSE(beyond.wrong(row)) << row;
    EXPECT_TRUE(beyond.wrong(first));
    EXPECT_FALSE(MapPicture("lambda", "newton", 1700).misplaced());
    EXPECT_EQ(MapPicture("lambda-published-grid", "newton", 1700).misplaced()->wanted.row, 1622u);
}

TEST(MapPicture, ShowsMissingAndDoubleTilesOfAKernel) {
    // Two rows in a square of blocks: (1, 1) is missing, (1, 0) is double, and one block is outside.
    const MapPicture picture{"mine", 2, {2, 2}, {{0, 0}, {0, 1}, {1, 0}, {1, 0}}};
    EXPECT_EQ(picture.drawn(), 2u);
    EXPECT_EQ(picture.columns(), 2u);
    EXPECT_EQ(picture.times({0, 0}), 1u);
    EXPECT_EQ(picture.times({1, 0}), 2u);
    EXPECT_EQ(picture.times({1, 1}), 0u);
    EXPECT_EQ(picture.block_of({1, 0}), 3u);
    EXPECT_FALSE(picture.useful(1));
    EXPECT_EQ(picture.true_counts().launched, 4u);
    EXPECT_EQ(picture.true_counts().useful, 2u);
    EXPECT_FALSE(picture.misplaced());
    EXPECT_EQ(MapPicture("lambda", "sqrt", 3).times({2, 1}), 1u);
}

}  // namespace
}  // namespace orrery::test
