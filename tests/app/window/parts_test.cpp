// SPDX-License-Identifier: MIT
// Parts of the window that need neither a display nor OpenGL.
#include <gtest/gtest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <set>
#include <tuple>

#include "app/window/commands.hpp"
#include "app/window/lab_control.hpp"
#include "app/window/recording_control.hpp"
#include "tests/support/eventually.hpp"

namespace orrery::test {
namespace {

WindowCore core_with(const SceneRequest& scene) {
    return {.config = {},
            .clock = WindowClock{ClockKind::kSteps},
            .simulation = SimulationLink{scene, {}},
            .camera = {},
            .state = {},
            .messages = {}};
}

TEST(WindowCommands, AreFoundByTheirKeys) {
    const auto is = [](int key, int mods, Command command, int argument = 0) {
        const auto found = command_of(key, mods);
        return found && found->command == command && found->argument == argument;
    };
    EXPECT_TRUE(is(GLFW_KEY_S, 0, Command::kScreenshot));
    EXPECT_TRUE(is(GLFW_KEY_S, GLFW_MOD_CONTROL, Command::kSaveScene));
    EXPECT_TRUE(is(GLFW_KEY_F3, 0, Command::kRecallCamera, 3));
    EXPECT_TRUE(is(GLFW_KEY_F3, GLFW_MOD_SHIFT, Command::kStoreCamera, 3));
    for (const int shift : {0, GLFW_MOD_SHIFT}) {
        EXPECT_TRUE(is(GLFW_KEY_EQUAL, shift, Command::kSpeed, +1));
        EXPECT_TRUE(is(GLFW_KEY_MINUS, shift | GLFW_MOD_CONTROL, Command::kTextScale, -1));
    }
    EXPECT_TRUE(is(GLFW_KEY_SPACE, GLFW_MOD_CAPS_LOCK | GLFW_MOD_NUM_LOCK, Command::kTogglePause)) << "locks matter";
    EXPECT_FALSE(command_of(GLFW_KEY_S, GLFW_MOD_ALT));
    EXPECT_FALSE(command_of(0, 0)) << "a command without a key";
}

TEST(WindowCommands, HaveKeysThatDiffer) {
    std::set<std::tuple<int, int>> seen;
    for (const WindowCommand& line : window_commands()) {
        if (line.key == 0) continue;
        EXPECT_TRUE(seen.emplace(line.key, line.mods).second) << line.does;
        if (line.any_shift) {
            EXPECT_TRUE(seen.emplace(line.key, line.mods | GLFW_MOD_SHIFT).second) << line.does;
        }
        EXPECT_EQ(line.text.empty(), line.does.empty());
    }
}

// Else its bits would depend on timings, which no session repeats.
TEST(RecordingControl, RecordsEnginesThatRepeatTheirBits) {
    const EngineConfig chooses{.engine = "auto", .backend = Backend::kCpu};
    Action engine = SetEngine{chooses}, scene = LoadScene{{.source = "plummer"}, chooses};
    Action compare = SetCompare{{.engine = chooses}}, pause = SetPaused{true};
    EXPECT_TRUE(std::get<SetEngine>(recorded(engine).value()).config.deterministic);
    EXPECT_TRUE(std::get<LoadScene>(recorded(scene).value()).engine->deterministic);
    EXPECT_TRUE(std::get<SetCompare>(recorded(compare).value()).settings.engine.deterministic);
    EXPECT_TRUE(std::get<LoadScene>(scene).engine->deterministic) << "what is sent is what is recorded";
    EXPECT_FALSE(recorded(pause));
}

TEST(LabControl, OpensItsPanelAndGoesBackToTheOneBefore) {
    WindowCore core = core_with({.source = "plummer", .bodies = 50});
    LabControl lab{core};
    core.state.panel = "view", core.state.panels = false;
    lab.toggle();
    EXPECT_EQ(core.state.panel, "lab");
    EXPECT_TRUE(core.state.panels);
    core.state.panels = false;
    lab.toggle();
    EXPECT_EQ(core.state.panel, "lab") << "it was hidden";
    lab.toggle();
    EXPECT_EQ(core.state.panel, "view");
}

TEST(LabControl, RestsTheBodiesWhileItMeasures) {
    WindowCore core = core_with({.source = "plummer", .bodies = 50});
    LabControl lab{core};
    const auto poll = [&] { core.simulation.poll(), lab.update(); };
    ASSERT_TRUE(eventually([&] { return poll(), core.simulation.ready(); }));
    LabSettings& settings = core.state.lab.settings;
    settings.from = settings.to = 1024;
    settings.maps = {"lambda"}, settings.roots = {"sqrt"};
    settings.repeat = 1;
    lab.act(LabAction::kStart);
    EXPECT_TRUE(core.simulation.paused());
    ASSERT_TRUE(eventually([&] { return poll(), !core.state.lab.run.running; }));
    EXPECT_EQ(core.state.lab.run.table.rows.size(), 2u) << "the bounding box and the map";
    EXPECT_FALSE(core.simulation.paused());
}

}  // namespace
}  // namespace orrery::test
