// SPDX-License-Identifier: MIT
#include "core/engines/engine_settings.hpp"

#include "tests/support/members.hpp"
#include "tests/support/settings.hpp"

namespace orrery {
namespace {

TEST(EngineSettings, AreSound) { testing::expect_sound(engine_settings()); }

/// A member without a description would be lost in files and have no option, no control and no column.
TEST(EngineSettings, DescribeEveryMember) {
    // Tile and tree are structs, whose members count instead.
    EXPECT_EQ(members<EngineConfig>() - 2 + members<TileConfig>() + members<TreeConfig>(), engine_settings().size())
        << "give the new member a line in core/engines/engine_settings.cpp";
}

}  // namespace
}  // namespace orrery
