// SPDX-License-Identifier: MIT
// State of the Maps page, without a window.
#include "app/window/maps/map_monitor.hpp"

#include <gtest/gtest.h>

#include "app/render/color_maps.hpp"

namespace orrery::test {
namespace {

Status status_of(int side, double pairs_per_second, std::size_t evaluations = 64) {
    Status status;
    status.bodies = 1000;
    status.engine.config.engine = "half";
    status.engine.report.tile_size = side;
    status.force.timing.count = evaluations;
    status.force.pairs_per_second = pairs_per_second;
    return status;
}

TEST(TriedEngines, NeedsAMedianOfFive) {
    TriedEngines tried;
    tried.update(status_of(32, 1e9, 4));
    EXPECT_TRUE(tried.list().empty());
    tried.update(status_of(32, 1e9, 5));
    ASSERT_EQ(tried.list().size(), 1u);
    EXPECT_EQ(tried.list()[0].pairs_per_second, 1e9);
    tried.update(status_of(32, 9e9, 1));  // switched away and back: the old value stays until there are five
                                          // evaluations again
    EXPECT_EQ(tried.list()[0].pairs_per_second, 1e9);
    EXPECT_TRUE(tried.list()[0].now);
}

TEST(TriedEngines, KeepsTheLastTwelveInOrder) {
    TriedEngines tried;
    for (int i = 1; i <= 15; ++i) tried.update(status_of(32 * i, i));
    ASSERT_EQ(tried.list().size(), TriedEngines::kMost);
    EXPECT_EQ(tried.list().front().pairs_per_second, 4);
    EXPECT_EQ(tried.list().back().pairs_per_second, 15);
    tried.update(status_of(32 * 5, 50));  // an entry that exists keeps its place
    EXPECT_EQ(tried.list()[1].pairs_per_second, 50);
    for (const TriedEngine& one : tried.list()) EXPECT_EQ(one.now, &one == &tried.list()[1]);
}

/// N² divided by the time would not be a rate of pairs.
TEST(TriedEngines, KeepTheTimeInsteadOfARateForTrees) {
    TriedEngines tried;
    tried.update(status_of(32, 1e9));
    Status tree = status_of(0, 14.6e9);
    tree.engine.config.engine = "tree";
    tree.engine.report.cells = 100;
    tree.force.timing.median = 0.25;
    tried.update(tree);
    ASSERT_EQ(tried.list().size(), 2u);
    EXPECT_TRUE(tried.list()[0].all_pairs);
    EXPECT_FALSE(tried.list()[1].all_pairs);
    EXPECT_EQ(tried.list()[1].seconds, 0.25);
}

TEST(TriedEngines, AreClearedWhenTheNumberOfBodiesChanges) {
    TriedEngines tried;
    tried.update(status_of(32, 1));
    Status other = status_of(64, 2, 0);
    other.bodies = 1001;
    tried.update(other);
    EXPECT_TRUE(tried.list().empty());
}

TEST(TriedEngines, NamesContainEverySettingThatAffectsSpeed) {
    Status status = status_of(96, 1);
    EXPECT_EQ(tried_name(status), "half lambda sqrt ρ 96, cpu single");
    status.engine.config.map = "rb";
    status.engine.config.equal_masses = false;
    status.engine.config.precision = Precision::kDouble;
    EXPECT_EQ(tried_name(status), "half rb ρ 96 any masses, cpu double");
    status.engine.config.engine = "direct";
    EXPECT_EQ(tried_name(status), "direct, cpu double");
}

TEST(MapMonitor, EvaluatesTheMapOnlyAfterChanges) {
    MapMonitor watch;
    Status status = status_of(32, 1);
    const auto first = watch.update(status, status.engine.config).picture;
    ASSERT_TRUE(first);
    EXPECT_EQ(first->rows(), 32u) << "⌈1000 / 32⌉";
    EXPECT_EQ(watch.update(status, status.engine.config).picture, first);
    status.bodies = 1024;  // same number of rows
    EXPECT_EQ(watch.update(status, status.engine.config).picture, first);
    status.bodies = 1025;
    EXPECT_EQ(watch.update(status, status.engine.config).picture->rows(), 33u);
    EngineConfig wanted = status.engine.config;
    wanted.map = "bb";
    EXPECT_EQ(watch.update(status, wanted).picture->map(), "bb");
}

TEST(MapMonitor, KeepsTheTileSizeDuringAnEngineSwitch) {
    MapMonitor watch;
    watch.update(status_of(96, 1), {.engine = "half"});
    EXPECT_EQ(watch.update(status_of(0, 0, 0), {.engine = "half"}).tile_size, 96);
    EXPECT_EQ(watch.update(status_of(0, 0, 0), {.engine = "half", .tile_size = 64}).tile_size, 64);
    Status direct = status_of(0, 0);
    direct.engine.config.engine = "direct";
    EXPECT_FALSE(watch.update(direct, direct.engine.config).walked);
    EXPECT_TRUE(watch.update(direct, direct.engine.config).picture);
}

TEST(MapMonitor, ShowsTheMapChosenByTheEngine) {
    MapMonitor watch;
    Status status = status_of(64, 1);
    status.engine.config.engine = "auto";
    status.engine.report.map = "rb";
    status.engine.report.root = "sqrt";
    const MapState& map = watch.update(status, {.engine = "auto", .map = "bb"});
    EXPECT_TRUE(map.walked && map.chosen_by_engine);
    ASSERT_TRUE(map.picture);
    EXPECT_EQ(map.picture->map(), "rb");
    EXPECT_EQ(map.picture->rows(), 16u);
    EXPECT_EQ(tried_name(status), "auto (rb ρ 64), cpu single");
}

TEST(MapMonitor, DrawsErrorsOfPublishedForms) {
    MapMonitor watch;
    EngineConfig wanted{.engine = "half", .map = "lambda-published", .root = "newton"};
    Status status = status_of(32, 1);
    status.bodies = 32 * 1623;
    const MapState& state = watch.update(status, wanted);
    ASSERT_TRUE(state.picture);
    ASSERT_TRUE(state.picture->misplaced());
    EXPECT_EQ(state.picture->misplaced()->wanted.row, 1622u);
    wanted.map = "lambda";
    EXPECT_FALSE(watch.update(status, wanted).picture->misplaced());
}

TEST(MapMonitor, ShowsARefusedMapUntilAnotherIsSelected) {
    MapMonitor watch;
    EngineConfig wanted{.engine = "half", .map = "lambda", .root = "newton"};
    Status status = status_of(32, 1);
    status.bodies = 32 * 1623;
    watch.display({"lambda-published", "newton"}, wanted);
    EXPECT_EQ(watch.update(status, wanted).picture->map(), "lambda-published");
    EXPECT_NE(watch.update(status, wanted).refused.find("1622 rows"), std::string::npos);
    wanted.map = "rb";
    EXPECT_EQ(watch.update(status, wanted).picture->map(), "rb");
    EXPECT_TRUE(watch.update(status, wanted).refused.empty());
}

TEST(MapMonitor, ReportsUnknownMaps) {
    MapMonitor watch;
    const EngineConfig wanted{.engine = "half", .map = "nosuch"};
    Status status = status_of(32, 1);
    EXPECT_FALSE(watch.update(status, wanted).picture);
    EXPECT_NE(watch.update(status, wanted).problem.find("nosuch"), std::string::npos);
}

TEST(ColorRamp, AscendsInLightness) {
    double last = -1;
    for (int i = 0; i <= 16; ++i) {
        const std::uint32_t color = ramp_color(static_cast<float>(i) / 16);
        const double luma = 0.2126 * (color & 0xff) + 0.7152 * (color >> 8 & 0xff) + 0.0722 * (color >> 16 & 0xff);
        EXPECT_GT(luma, last) << i;
        last = luma;
    }
    EXPECT_EQ(ramp_color(0) >> 24, 0xffu) << "opaque";
}

}  // namespace
}  // namespace orrery::test
