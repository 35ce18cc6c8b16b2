// SPDX-License-Identifier: MIT
#include "core/engines/engine_settings.hpp"

#include "core/engines/knobs.hpp"
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
    for (const EngineEntry& entry : engines())
        for (const std::string_view knob : entry.knobs) {
            EXPECT_NO_THROW(setting(engine_settings(), knob)) << entry.id;
            EXPECT_TRUE(entry.reads(knob));
        }
    const bool with_cuda =
        std::ranges::any_of(engines(), [](const EngineEntry& entry) { return entry.backend == Backend::kCuda; });
    for (const EngineSetting& each : engine_settings()) {
        if (!each.info.group) continue;
        if (!with_cuda && std::ranges::count(knobs::tiles(), each.info.id) > 0) continue;  // CUDA only
        const auto reads = [&](const EngineEntry& entry) { return entry.reads(each.info.id); };
        EXPECT_TRUE(std::ranges::any_of(engines(), reads)) << each.info.id << ": no engine reads it";
    }
}

}  // namespace
}  // namespace orrery::test
