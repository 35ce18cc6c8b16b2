// SPDX-License-Identifier: MIT
// `tiles`, `programs` and `waste`: their kernels against a plain loop, and the contents of their tables.
#include "core/lab/force_experiments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace orrery::test {
namespace {

void ignore_progress(std::uint64_t, std::uint64_t, const std::string&) {}

std::size_t place_of(const LabTable& table, std::string_view id) {
    const auto found = std::ranges::find(table.columns, id);
    EXPECT_NE(found, table.columns.end()) << id;
    return static_cast<std::size_t>(found - table.columns.begin());
}

TEST(CpuTilesTest, AreCorrectForEveryShape) {
    for (const std::uint32_t count : {1u, 33u, 500u})
        for (const TileShape& shape :
             {TileShape{32, 1, 1}, {32, 8, 32}, {64, 2, 2}, {128, 4, 4}, {256, 1, 8}, {1024, 1, 16}}) {
            const Bodies bodies = lab_ball(count);
            const auto tiles = make_cpu_tiles(bodies, shape);
            for (int twice = 0; twice < 2; ++twice) {
                tiles->accelerate();
                const LabCheck check = check_forces(bodies, tiles->accelerations(), 1e-5);
                EXPECT_TRUE(check.right) << count << " p " << shape.p << " q " << shape.q << ": " << check.why;
            }
        }
}

TEST(CheckForces, DetectsAWrongForce) {
    const Bodies bodies = lab_ball(100);
    const auto tiles = make_cpu_tiles(bodies, {32, 1, 1});
    tiles->accelerate();
    auto found = tiles->accelerations();
    EXPECT_TRUE(check_forces(bodies, found, 1e-5).right);
    found[57].x += 1e-3;
    const LabCheck check = check_forces(bodies, found, 1e-5);
    EXPECT_FALSE(check.right);
    EXPECT_THAT(check.why, testing::HasSubstr("RMS"));
}

TEST(TilesExperiment, VariesTheParametersOfTheChapter) {
    const LabTable table = tiles_experiment().run({.bodies = {256, 512}, .repeat = 1}, ignore_progress);
    std::size_t unrolled = 0, split = 0, sized = 0;
    for (const auto& row : table.rows) {
        const auto number = [&](std::string_view id) { return std::get<std::int64_t>(row[place_of(table, id)]); };
        EXPECT_EQ(row[place_of(table, "verified")], LabValue{true});
        const double pairs = std::get<double>(row[place_of(table, "pairs_per_second")]);
        EXPECT_DOUBLE_EQ(std::get<double>(row[place_of(table, "gflops")]), 20e-9 * pairs);
        unrolled += number("bodies") == 512 && number("tile_p") == 256 && number("tile_q") == 1;
        split += number("bodies") == 256 && number("tile_p") * number("tile_q") == 256 && number("tile_u") == 4;
        sized += number("bodies") == 256 && number("tile_q") == 1 && number("tile_u") == 4;
    }
    EXPECT_EQ(unrolled, 6u) << "u 1 to 32 at the largest N";
    EXPECT_EQ(split, 4u) << "q 1 to 8";
    EXPECT_EQ(sized, 6u) << "p 32 to 1024";
    EXPECT_THROW(tiles_experiment().run({.bodies = {0}}, ignore_progress), Error);
}

TEST(ProgramsExperiment, RunsAllFivePrograms) {
    const LabConfig config{.bodies = {600}, .repeat = 1, .precisions = {"double", "single"}};
    const LabTable table = programs_experiment().run(config, ignore_progress);
    ASSERT_EQ(table.rows.size(), 10u);
    for (const auto& row : table.rows) {
        const auto& program = std::get<std::string>(row[place_of(table, "program")]);
        EXPECT_EQ(row[place_of(table, "verified")], LabValue{true}) << program;
        EXPECT_GT(std::get<double>(row[place_of(table, "integrate_ms")]), 0) << program;
        EXPECT_GE(std::get<double>(row[place_of(table, "median_ms")]),
                  std::get<double>(row[place_of(table, "integrate_ms")]));
        const bool tree = program.ends_with("tree");
        for (const char* phase : {"box_ms", "build_ms", "centres_ms", "sort_ms", "walk_ms"})
            EXPECT_EQ(std::holds_alternative<double>(row[place_of(table, phase)]), tree) << program << ' ' << phase;
        EXPECT_EQ(std::holds_alternative<double>(row[place_of(table, "gflops")]), !tree) << program;
    }
}

TEST(ProgramsExperiment, SkipsLongRunsAndAcceptsACutoff) {
    const LabTable left =
        programs_experiment().run({.bodies = {15000}, .quick = true, .precisions = {"single"}}, ignore_progress);
    EXPECT_THAT(std::get<std::string>(left.rows[0].back()), testing::StartsWith("left out"));
    const LabTable cut = programs_experiment().run(
        {.bodies = {300}, .repeat = 1, .precisions = {"double"}, .cutoff = 0.5}, ignore_progress);
    EXPECT_EQ(cut.rows[4][place_of(cut, "opening")], LabValue{std::string{"cutoff 0.5"}});
    const double error = std::get<double>(cut.rows[4][place_of(cut, "rms_error")]);
    EXPECT_GT(error, 1e-3) << "any force within 100 % is verified, so the column states the error";
    EXPECT_LT(error, 1);
    EXPECT_THROW(programs_experiment().run({.theta = 0.5, .cutoff = 0.5}, ignore_progress), Error);
    EXPECT_THROW(programs_experiment().run({.bodies = {2000000}}, ignore_progress), Error);
}

TEST(WasteExperiment, MatchesTheFormulas) {
    const LabTable table = waste_experiment().run({.maps = {"lambda-grid"}, .bodies = {1024}}, ignore_progress);
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows[0][place_of(table, "wasted_blocks")], LabValue{std::int64_t{64 * 63 / 2}});
    EXPECT_EQ(table.rows[1][place_of(table, "wasted_blocks")], LabValue{std::int64_t{46 * 46 - 64 * 65 / 2}});
    EXPECT_THROW(waste_experiment().run({.maps = {"lambda3"}}, ignore_progress), Error);
}

}  // namespace
}  // namespace orrery::test
