// SPDX-License-Identifier: MIT
#include "core/maps/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery::test {
namespace {

class EveryMap3Picture : public ::testing::TestWithParam<Map3Entry> {};

TEST_P(EveryMap3Picture, ShowsEachTripleOnceAndEveryBlock) {
    for (const std::uint32_t side : {1u, 2u, 5u, 6u, 8u}) {
        const Map3Picture picture{GetParam().id, "sqrt", side};
        std::uint32_t useful = 0;
        for (std::uint32_t block = 0; block < picture.blocks(); ++block) {
            if (!picture.useful(block)) continue;
            ++useful;
            EXPECT_EQ(picture.block_of(picture.triple(block)), block) << side;
        }
        EXPECT_EQ(useful, side * (side + 1) * (side + 2) / 6);
        const std::uint32_t places = picture.columns() * picture.lines() * picture.slices();
        EXPECT_GE(places, picture.blocks());
        EXPECT_LT(places - picture.blocks(), picture.columns()) << "the last line of a folded grid may be short";
    }
}

/// Draws three faces of every cube, within the drawing and touching its borders; the last cube has the lowest corner.
TEST_P(EveryMap3Picture, FitsTheDrawingInSpace) {
    for (const std::uint32_t side : {1u, 3u, 6u}) {
        const Map3Picture picture{GetParam().id, "sqrt", side};
        const CubeDrawing blocks = blocks_in_space(picture), triples = triples_in_space(picture);
        EXPECT_EQ(blocks.faces.size(), 3 * picture.blocks());
        EXPECT_EQ(triples.faces.size(), side * (side + 1) * (side + 2) / 2);
        float left = 1, right = 0, top = 1, bottom = 0;
        for (const CubeFace& face : triples.faces)
            for (const auto& [x, y] : face.corners) {
                left = std::min(left, x), right = std::max(right, x);
                top = std::min(top, y), bottom = std::max(bottom, y);
            }
        EXPECT_NEAR(left, 0, 1e-5) << side;
        EXPECT_NEAR(right, triples.width, 1e-5) << side;
        EXPECT_NEAR(top, 0, 1e-5) << side;
        EXPECT_NEAR(bottom, triples.height, 1e-5) << side;
        EXPECT_NEAR(bottom, 1.5 * side + 0.5, 1e-5) << side;
        for (const CubeFace& face : blocks.faces) {
            EXPECT_EQ(face.useful, picture.useful(face.block));
            for (const auto& [x, y] : face.corners) {
                EXPECT_GE(std::min(x, y), -1e-5) << side;
                EXPECT_LE(x, blocks.width + 1e-5) << side;
                EXPECT_LE(y, blocks.height + 1e-5) << side;
            }
        }
    }
}

/// Later faces are nearer: in a cube of two, the farthest block is painted first and the nearest last.
TEST(Map3Picture, IsPaintedFromBackToFront) {
    const CubeDrawing drawing = blocks_in_space(Map3Picture{"cube", "sqrt", 2});
    EXPECT_EQ(drawing.faces.front().block, 4u) << "x = y = 0 in the second, lower slice";
    EXPECT_EQ(drawing.faces.back().block, 3u) << "x = y = 1 in the upper slice";
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryMap3Picture, ::testing::ValuesIn(simplex3_maps().begin(), simplex3_maps().end()),
                         [](const auto& each) {
                             std::string name{each.param.id};
                             std::erase(name, '-');
                             return name;
                         });

TEST(Map3Picture, FoldsALineIntoANearSquare) {
    const Map3Picture line{"lambda3", "sqrt", 4}, cube{"cube", "sqrt", 4}, grid{"lambda3-grid", "sqrt", 4};
    EXPECT_EQ(line.columns(), 5u);  // 20 triples
    EXPECT_EQ(line.lines(), 4u);
    EXPECT_EQ(line.slices(), 1u);
    EXPECT_EQ(Map3Picture("hadouken3", "sqrt", 5).lines(), 6u) << "35 triples in columns of 6";
    EXPECT_EQ(cube.columns(), 4u);
    EXPECT_EQ(cube.lines(), 4u);
    EXPECT_EQ(cube.slices(), 4u);
    EXPECT_EQ(grid.lines(), 3u);
    EXPECT_EQ(grid.slices(), 3u);
    const Map3Picture one{"cube", "sqrt", 1};
    EXPECT_EQ(one.blocks(), 1u);
    EXPECT_EQ(one.columns(), 1u);
}

}  // namespace
}  // namespace orrery::test
