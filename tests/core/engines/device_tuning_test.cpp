// SPDX-License-Identifier: MIT
#include "core/engines/device_tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/engine_tuning.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery::test {
namespace {

DeviceTuning example() {
    return {.device = "A device (of 2 names)",
            .engines = {{.engine = "half",
                         .precision = Precision::kSingle,
                         .bodies = 2048,
                         .settings = {{"rows", 256}},
                         .seconds = 1e-3,
                         .default_seconds = 2e-3},
                        {.engine = "half",
                         .precision = Precision::kSingle,
                         .bodies = 32768,
                         .settings = {{"rows", 512}},
                         .seconds = 0.1,
                         .default_seconds = 0.12},
                        {.engine = "tree",
                         .precision = Precision::kSingle,
                         .bodies = 65536,
                         .settings = {{"order", 2}, {"leaf", 32}, {"group", 24}},
                         .seconds = 0.05,
                         .default_seconds = 0.06},
                        {.engine = "fmm",
                         .precision = Precision::kSingle,
                         .bodies = 65536,
                         .settings = {},
                         .seconds = 0.04,
                         .default_seconds = 0.04}}};
}

EngineConfig asked(const char* engine) {
    EngineConfig config = default_engine_config();
    config.engine = engine;
    return config;
}

/// Provides `example()` for the CPU while it lives.
struct WithTuning {
    WithTuning() {
        set_tuning_source([](Backend backend) { return backend == Backend::kCpu ? example() : DeviceTuning{}; });
    }
    ~WithTuning() { set_tuning_source(nullptr); }
};

TEST(DeviceTuning, IsWrittenAndReadBack) {
    const std::string text = text_of(example());
    EXPECT_EQ(read_tuning(text, "a file"), example()) << text;
    EXPECT_EQ(read_tuning("\n# a comment\n", "a file"), DeviceTuning{});
}

TEST(DeviceTuning, RefusesMalformedLinesByNumber) {
    for (const char* line :
         {"half", "half single", "half single no", "half single 0", "half half 12", "half single 12 rows",
          "half single 12 rows=x", "half single 12 tile_u=3", "half single 12 theta=1", "half single 12 engine=1",
          "half single 12 ms=-1", "half single 12 ms=nan"})
        try {
            read_tuning(std::string{"device D\n"} + line + "\n", "file.txt");
            ADD_FAILURE() << line;
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), Blame::kUsage);
            EXPECT_NE(std::string{error.what()}.find("file.txt:2: "), std::string::npos) << error.what();
        }
}

TEST(DeviceTuning, FillsOnlySettingsLeftOpen) {
    EngineConfig half = asked("half");
    EXPECT_EQ(with_tuning(example(), half, 2048).tile_size, 256);
    half.tile_size = 64;
    EXPECT_EQ(with_tuning(example(), half, 2048), half);
    EngineConfig tree = asked("tree");
    tree.tree.leaf = 8;
    const EngineConfig tuned = with_tuning(example(), tree, 65536);
    EXPECT_EQ(tuned.tree.leaf, 8);
    EXPECT_EQ(tuned.tree.group, 24);
    EXPECT_EQ(tuned.tree.order, 2);
}

TEST(DeviceTuning, OrderAppliesOnlyToTheDefaultAccuracy) {
    EngineConfig tree = asked("tree");
    tree.tree.accuracy = 1e-5;
    EXPECT_EQ(with_tuning(example(), tree, 65536).tree.order, 0);
    EXPECT_EQ(with_tuning(example(), tree, 65536).tree.leaf, 32);
    tree.tree.accuracy = 0, tree.tree.theta = 0.5;
    EXPECT_EQ(with_tuning(example(), tree, 65536).tree.order, 0);
}

TEST(DeviceTuning, PartlyGivenTileShapeIsKept) {
    DeviceTuning tuning{.device = "D",
                        .engines = {{.engine = "direct", .bodies = 4096, .settings = {{"tile_p", 64}, {"tile_k", 4}}}}};
    EngineConfig direct = asked("direct");
    EXPECT_EQ(with_tuning(tuning, direct, 4096).tile, (TileConfig{.p = 64, .k = 4}));
    direct.tile.q = 2;
    EXPECT_EQ(with_tuning(tuning, direct, 4096), direct);
}

TEST(DeviceTuning, IsUsedWithinAFactorOfFourOfItsBodies) {
    const EngineConfig half = asked("half");
    EXPECT_EQ(with_tuning(example(), half, 512).tile_size, 256);
    EXPECT_EQ(with_tuning(example(), half, 511), half);
    EXPECT_EQ(with_tuning(example(), half, 8191).tile_size, 256);
    EXPECT_EQ(with_tuning(example(), half, 8193).tile_size, 512);
    EXPECT_EQ(with_tuning(example(), half, 131072).tile_size, 512);
    EXPECT_EQ(with_tuning(example(), half, 131073), half);
}

TEST(DeviceTuning, FastestEngineNeedsTwoMeasurements) {
    constexpr std::array<std::string_view, 2> trees{"tree", "fmm"}, others{"half", "fmm"};
    EXPECT_EQ(fastest_tuned(example(), Precision::kSingle, 65536, trees), "fmm");
    EXPECT_EQ(fastest_tuned(example(), Precision::kDouble, 65536, trees), "");
    EXPECT_EQ(fastest_tuned(example(), Precision::kSingle, 1 << 24, trees), "");
    EXPECT_EQ(fastest_tuned(example(), Precision::kSingle, 65536, others), "") << "at different numbers of bodies";
}

TEST(DeviceTuning, EverySettingBelongsToAnEngine) {
    for (const std::string_view id : tunable_settings())
        EXPECT_EQ(std::ranges::count(engine_settings(), id, [](const EngineSetting& each) { return each.info.id; }), 1)
            << id;
}

TEST(DeviceTuning, SimulationsBeginWithIt) {
    const WithTuning with;
    const Scene scene = make_preset("plummer", {.bodies = 2048});
    const Simulation tuned{scene, asked("half"), "leapfrog"};
    EXPECT_EQ(tuned.used_engine().tile_size, 256);
    EXPECT_EQ(tuned.engine_config().tile_size, 0);
    EngineConfig repeatable = asked("half");
    repeatable.deterministic = true;
    const Simulation own{scene, repeatable, "leapfrog"};
    EXPECT_EQ(own.used_engine().tile_size, 0);
    EngineConfig automatic = asked("auto");
    automatic.tree.accuracy = kDefaultAccuracy;
    const auto first = EngineTuning::first_engine(automatic, 65536, PairLaw::kGravity, nullptr);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->engine, "fmm");
}

TEST(DeviceTuning, SnapshotsKeepTheSettingsInUse) {
    const Scene scene = make_preset("plummer", {.bodies = 2048});
    Simulation plain{scene, asked("half"), "leapfrog"};
    Snapshot kept;
    std::vector<Vec4d> expected;
    {
        const WithTuning with;
        Simulation tuned{scene, asked("half"), "leapfrog"};
        tuned.step();
        kept = tuned.snapshot();
        for (int i = 0; i < 3; ++i) tuned.step();
        expected = tuned.system().bodies().position_mass;
    }
    plain.restore(kept);
    EXPECT_EQ(plain.used_engine().tile_size, 256);
    for (int i = 0; i < 3; ++i) plain.step();
    EXPECT_EQ(plain.system().bodies().position_mass, expected);
}

}  // namespace
}  // namespace orrery::test
