// SPDX-License-Identifier: MIT
#include "core/engines/engine_settings.hpp"

#include "tests/support/members.hpp"
#include "tests/support/settings.hpp"

namespace orrery::test {
namespace {

TEST(EngineSettings, AreValid) { expect_sound(engine_settings()); }

/// A member without a description would be lost in files and have no option, no control and no column.
TEST(EngineSettings, DescribeEveryMember) {
    // Tile and tree are structs; their members are counted instead.
    EXPECT_EQ(members<EngineConfig>() - 2 + members<TileConfig>() + members<TreeConfig>(), engine_settings().size())
        << "give the new member a line in core/engines/engine_settings.cpp";
}

/// A misspelt id would be a setting that no engine reads.
TEST(EngineSettings, IncludeEverySettingThatEnginesRead) {
    const bool with_cuda =
        std::ranges::any_of(engines(), [](const EngineEntry& entry) { return entry.backend == Backend::kCuda; });
    for (const EngineSetting& each : engine_settings()) {
        if (!each.info.group) continue;
        const bool of_cuda =
            each.info.group == &kTileGroup || each.info.readers == Capabilities{Capability::kStrips}.bits();
        if (!with_cuda && of_cuda) continue;
        const auto read = [&](const EngineEntry& entry) { return reads(entry, each.info); };
        EXPECT_TRUE(std::ranges::any_of(engines(), read)) << each.info.id << ": no engine reads it";
    }
}

}  // namespace
}  // namespace orrery::test
