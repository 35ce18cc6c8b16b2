// SPDX-License-Identifier: MIT
// The lesson of the pages Maps and Lab without a window: the walk, the loop over a tile, the tree's walk, sentences.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "app/window/lab/lab_state.hpp"
#include "app/window/maps/map_state.hpp"
#include "app/window/maps/tile_lesson.hpp"
#include "app/window/opening/opening_walk.hpp"
#include "core/lab/launch_variants.hpp"

namespace orrery::test {
namespace {

using Cells = std::vector<LabValue>;

TEST(MapWalk, RestartsASecondAfterTheLastBlock) {
    MapWalk walk{.on = true, .playing = true, .at = 0, .speed = 10};
    walk.advance(0.35, 16);
    EXPECT_EQ(walk.block(), 3u);
    walk.advance(1.3, 16);
    EXPECT_GE(walk.at, 16) << "all blocks are done";
    walk.advance(0.9, 16);
    EXPECT_LT(walk.at, 26);
    walk.advance(0.1, 16);
    EXPECT_EQ(walk.block(), 0u);
    walk.playing = false;
    walk.advance(5, 16);
    EXPECT_EQ(walk.block(), 0u);
}

TEST(MapWalk, StepsPauseAndWrapAround) {
    MapWalk walk{.on = true, .playing = true, .at = 2.7};
    walk.step(+1, 4);
    EXPECT_EQ(walk.at, 3);
    EXPECT_FALSE(walk.playing);
    walk.step(+1, 4);
    EXPECT_EQ(walk.at, 0);
    walk.step(-1, 4);
    EXPECT_EQ(walk.at, 3);
    MapWalk new_walk;
    new_walk.step(+1, 4);
    EXPECT_EQ(new_walk.at, 0) << "a walk begins with block 0";
}

TEST(TileLesson, EveryPairOfTheTileIsComputedOnce) {
    for (const TileLoop loop : {TileLoop::kHalf, TileLoop::kRows})
        for (const int u : {1, 2, 4})
            for (const int q : {1, 2})
                for (const int k : {1, 2})
                    for (const bool diagonal : {false, true}) {
                        const TileLesson lesson{loop, u, q, k};
                        std::set<std::pair<int, int>> seen;
                        std::size_t count = 0;
                        for (int turn = 0; turn < lesson.turns(); ++turn)
                            for (const TilePair& pair : pairs_of_turn(lesson, turn, diagonal))
                                seen.insert({pair.row, pair.column}), ++count;
                        const bool half = loop == TileLoop::kHalf;
                        const int without = half && diagonal ? lesson.rows() : 0;
                        EXPECT_EQ(count, static_cast<std::size_t>(lesson.rows() * lesson.columns() - without));
                        EXPECT_EQ(seen.size(), count);
                    }
}

/// In `half` no two threads add to the same column in one step.
TEST(TileLesson, ReactionsOfAStepGoToDifferentColumns) {
    const TileLesson lesson{TileLoop::kHalf};
    for (int turn = 1; turn < lesson.turns(); ++turn) {
        std::set<int> columns;
        for (const TilePair& pair : pairs_of_turn(lesson, turn)) columns.insert(pair.column);
        EXPECT_EQ(columns.size(), static_cast<std::size_t>(TileLesson::kThreads));
    }
}

/// A complete tree of this depth over the unit cube, with one body in each of the smallest cells.
std::vector<TreeCell> complete_tree(int levels) {
    std::vector<TreeCell> cells;
    for (int level = 0; level <= levels; ++level) {
        const int across = 1 << level;
        const float side = 1.0f / static_cast<float>(across);
        const auto bodies = static_cast<std::uint32_t>(1 << 3 * (levels - level));
        for (int x = 0; x < across; ++x)
            for (int y = 0; y < across; ++y)
                for (int z = 0; z < across; ++z) {
                    const Vec3f low{side * static_cast<float>(x), side * static_cast<float>(y),
                                    side * static_cast<float>(z)};
                    cells.push_back({low, {low.x + side, low.y + side, low.z + side}, level, bodies, level == levels});
                }
    }
    return cells;
}

TEST(OpeningWalk, ReachesEveryBodyOnceAndAcceptsOnlyDistantCells) {
    const std::vector<TreeCell> cells = complete_tree(4);
    const Vec3f body{0.31f, 0.52f, 0.77f};
    std::size_t last = cells.size();
    for (const double theta : {0.3, 0.7, 1.2}) {
        std::uint64_t bodies = 0;
        const auto walked = opening_walk(cells, body, theta);
        for (const WalkedCell& end : walked) {
            const TreeCell& cell = cells[end.cell];
            bodies += cell.bodies;
            const Vec3f apart = 0.5f * (cell.low + cell.high) - body;
            const double ratio = static_cast<double>((cell.high.x - cell.low.x) / std::sqrt(dot(apart, apart)));
            EXPECT_EQ(end.accepted, ratio < theta);
            EXPECT_TRUE(end.accepted || cell.leaf) << "other cells are opened";
        }
        EXPECT_EQ(bodies, 4096u);
        EXPECT_LT(walked.size(), last) << "a larger angle accepts more";
        last = walked.size();
    }
    EXPECT_EQ(opening_walk(cells, body, 0).size(), 4096u) << "without an angle every body acts by itself";
    EXPECT_TRUE(opening_walk({}, body, 0.7).empty());
}

TEST(LabForms, HaveNamesAndSources) {
    for (const LabForm& form : lab_forms()) {
        const FormNote note = form_note(form.id);
        EXPECT_FALSE(note.name.empty()) << form.id;
        EXPECT_EQ(note.name.find('('), std::string_view::npos) << note.name;
    }
    EXPECT_THAT(std::string{form_note("utm-threads").source}, testing::HasSubstr("EGPGV 2012"));
    EXPECT_EQ(lab_name("lambda", "rsqrt"), "λ: row by square root · rsqrt");
    EXPECT_EQ(lab_name("no map"), "no map");
}

TEST(LabBound, IsTheShareOfBlocksWithWork) {
    for (const std::uint32_t bodies : {16u, 1000u, 8192u, 30720u}) {
        const LabBound bound = lab_bound("dummy", bodies, 16);
        const LaunchCounts box = launch_counts({form_id<BoundingBox>}, bodies, 16);
        EXPECT_DOUBLE_EQ(bound.improvement,
                         static_cast<double>(box.blocks) / static_cast<double>(box.blocks - box.wasted_blocks));
    }
    EXPECT_EQ(lab_bound("collision", 8192, 16).rows, 8192u / 64);
    EXPECT_DOUBLE_EQ(lab_bound("triplet", 8 * 100, 16).improvement, 6.0 * 100 * 100 / (101.0 * 102));
}

LabState measured(double lambda_ms, double p10, double p90) {
    LabState lab;
    lab.run.experiment = "dummy";
    lab.run.table = {{"map", "root", "rho", "bodies", "median_ms", "p90_ms", "improvement", "verified", "p10_ms"},
                     {Cells{std::string{"bb"}, {}, std::int64_t{16}, std::int64_t{8192}, 1.0, 1.0, 1.0, true, 1.0},
                      Cells{std::string{"rb"}, {}, std::int64_t{16}, std::int64_t{8192}, 0.5, 0.5, 2.0, true, 0.5},
                      Cells{std::string{"lambda"}, std::string{"rsqrt"}, std::int64_t{16}, std::int64_t{8192},
                            lambda_ms, p90, 1 / lambda_ms, true, p10}}};
    lab.bars = lab_bars(lab.run.table);
    return lab;
}

TEST(LabSentence, StatesTheResultOfLambdaAndTheBound) {
    EXPECT_EQ(lab_sentence(measured(1 / 1.96, 0.505, 0.515)),
              "λ: row by square root · rsqrt is 1.96 × as fast as Bounding box with N = 8 192; at most 1.996 × is "
              "possible.");
    EXPECT_EQ(lab_sentence(measured(1.25, 1.2, 1.3)),
              "λ: row by square root · rsqrt takes 1.25 × the time of Bounding box with N = 8 192.");
    EXPECT_THAT(lab_sentence(measured(0.98, 0.9, 1.1)), testing::EndsWith("The difference is within the spread."));
    EXPECT_EQ(lab_sentence({}), "");
}

TEST(LabSentence, ComparesTheBlocksOfTheExperimentWaste) {
    LabState lab;
    lab.run.experiment = "waste";
    lab.run.table = {{"map", "bodies", "launched_blocks"},
                     {Cells{std::string{"bb"}, std::int64_t{1024}, std::int64_t{4096}},
                      Cells{std::string{"lambda"}, std::int64_t{1024}, std::int64_t{2080}}}};
    EXPECT_EQ(lab_sentence(lab), "With N = 1 024 Bounding box launches 1.969 × the blocks of λ: row by square root.");
}

/// The shipped curve of a GPU consists of rows of the recorded table.
TEST(LabGhosts, AreRowsOfTheRecordedTable) {
    std::ifstream file{std::string{ORRERY_SOURCES} + "/bench/results/h200/lab.csv"};
    std::set<std::string> rows;  // experiment, bodies, dimensions, improvement
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> cells;
        std::istringstream parts{line};
        for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
        if (cells.size() > 16 && cells[3] == "rsqrt" && (cells[2] == "lambda" || cells[2] == "lambda3"))
            rows.insert(cells[0] + ' ' + cells[5] + ' ' + (cells[6].empty() ? "0" : cells[6]) + ' ' +
                        std::to_string(std::stod(cells[11].empty() ? "0" : cells[11])) + ' ' + cells[16]);
    }
    ASSERT_GT(rows.size(), 200u);
    std::size_t points = 0;
    for (const LabGhost& ghost : lab_ghosts())
        for (const PlotPoint& point : ghost.points) {
            ++points;
            EXPECT_TRUE(rows.contains(ghost.experiment + ' ' + std::to_string(std::lround(point.x)) + ' ' +
                                      std::to_string(ghost.dimensions) + ' ' + std::to_string(point.y) + ' ' +
                                      ghost.device))
                << ghost.experiment << ' ' << point.x;
        }
    EXPECT_GT(points, 200u);
    LabState lab;
    lab.run.experiment = "dummy";
    ASSERT_NE(ghost_of(lab, 0), nullptr);
    EXPECT_EQ(ghost_of(lab, 0)->device, "NVIDIA H200");
    lab.run.config.backend = Backend::kCuda;
    EXPECT_EQ(ghost_of(lab, 0), nullptr) << "a GPU has its own curve";
}

}  // namespace
}  // namespace orrery::test
