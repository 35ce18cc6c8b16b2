// SPDX-License-Identifier: MIT
// Parts of the window that need neither a display nor OpenGL.
#include <gtest/gtest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "app/platform/surface.hpp"
#include "app/window/commands.hpp"
#include "app/window/lab/lab_control.hpp"
#include "app/window/recording/recording_control.hpp"
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
        const auto found = command_of(KeyEvent{key, GLFW_PRESS, mods});
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
    EXPECT_TRUE(is(GLFW_KEY_SPACE, GLFW_MOD_CAPS_LOCK | GLFW_MOD_NUM_LOCK, Command::kTogglePause))
        << "lock keys matter";
    EXPECT_FALSE(command_of(KeyEvent{GLFW_KEY_S, GLFW_PRESS, GLFW_MOD_ALT}));
    EXPECT_FALSE(command_of(KeyEvent{0, GLFW_PRESS, 0})) << "a command without a key";
}

/// International keyboards: key position, modifiers, character without modifiers, typed character.
TEST(WindowCommands, LettersFollowTheLabelAndDigitsThePosition) {
    const auto call = [](int key, int mods, char32_t plain, char32_t typed) {
        return command_of(KeyEvent{key, GLFW_PRESS, mods, meant_sign(key, mods, plain, typed)});
    };
    const auto is = [&](int key, int mods, char32_t plain, char32_t typed, Command command, int argument = 0) {
        const auto found = call(key, mods, plain, typed);
        return found && found->command == command && found->argument == argument;
    };
    constexpr int control = GLFW_MOD_CONTROL, shift = GLFW_MOD_SHIFT;
    // German
    EXPECT_TRUE(is(GLFW_KEY_Y, 0, U'z', U'z', Command::kReverse));
    EXPECT_TRUE(is(GLFW_KEY_Y, control, U'z', 0, Command::kUndo));
    EXPECT_TRUE(is(GLFW_KEY_Z, 0, U'y', U'y', Command::kFlip));
    EXPECT_TRUE(is(GLFW_KEY_RIGHT_BRACKET, 0, U'+', U'+', Command::kSpeed, +1));
    EXPECT_TRUE(is(GLFW_KEY_SLASH, 0, U'-', U'-', Command::kSpeed, -1));
    EXPECT_TRUE(is(GLFW_KEY_8, 0, U'8', U'[', Command::kPreset, -1)) << "AltGr";
    EXPECT_TRUE(is(GLFW_KEY_8, 0, U'8', U'8', Command::kEngine, 8));
    EXPECT_FALSE(call(GLFW_KEY_LEFT_BRACKET, 0, U'ü', U'ü'));
    EXPECT_FALSE(call(GLFW_KEY_EQUAL, 0, kNoSign, 0)) << "a dead key";
    // French
    EXPECT_TRUE(is(GLFW_KEY_W, 0, U'z', U'z', Command::kReverse));
    EXPECT_TRUE(is(GLFW_KEY_SEMICOLON, 0, U'm', U'm', Command::kMap));
    EXPECT_TRUE(is(GLFW_KEY_3, 0, U'"', U'"', Command::kEngine, 3));
    EXPECT_TRUE(is(GLFW_KEY_3, shift, U'"', U'3', Command::kEngine, 3));
    EXPECT_TRUE(is(GLFW_KEY_6, control, U'-', 0, Command::kTextScale, -1));
    EXPECT_TRUE(is(GLFW_KEY_0, control, U'à', 0, Command::kTextScale, 0));
    EXPECT_TRUE(is(GLFW_KEY_COMMA, shift, U';', U'.', Command::kStep));
    // Russian, and an upper-case letter by Caps Lock
    EXPECT_TRUE(is(GLFW_KEY_Z, control, U'я', 0, Command::kUndo));
    EXPECT_TRUE(is(GLFW_KEY_Z, GLFW_MOD_CAPS_LOCK, U'z', U'Z', Command::kReverse));
    // Every keyboard has these keys.
    EXPECT_TRUE(is(GLFW_KEY_PAGE_DOWN, 0, 0, 0, Command::kPreset, +1));
    EXPECT_TRUE(is(GLFW_KEY_DOWN, 0, 0, 0, Command::kSpeed, -1));
}

TEST(WindowCommands, HaveOneHandlerEach) {
    for (int i = 0; i <= static_cast<int>(Command::kQuit); ++i)
        EXPECT_EQ(
            std::ranges::count_if(window_commands(),
                                  [i](const WindowCommand& l) { return l.runs && static_cast<int>(l.command) == i; }),
            1)
            << i;
}

TEST(WindowCommands, HaveDistinctKeys) {
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

// Otherwise the engine's bits would depend on timings, which no session can repeat.
TEST(RecordingControl, RecordsEnginesAsDeterministic) {
    const EngineConfig chooses{.engine = "auto", .backend = Backend::kCpu};
    Action engine = SetEngine{chooses}, scene = LoadScene{{.source = "plummer"}, chooses};
    Action compare = SetCompare{{.engine = chooses}}, pause = SetPaused{true};
    EXPECT_TRUE(std::get<SetEngine>(recorded(engine).value()).config.deterministic);
    EXPECT_TRUE(std::get<LoadScene>(recorded(scene).value()).engine->deterministic);
    EXPECT_TRUE(std::get<SetCompare>(recorded(compare).value()).settings.engine.deterministic);
    EXPECT_TRUE(std::get<LoadScene>(scene).engine->deterministic) << "the sent and recorded actions must match";
    EXPECT_FALSE(recorded(pause));
}

TEST(LabControl, OpensItsPanelAndReturnsToThePrevious) {
    WindowCore core = core_with({.source = "plummer", .bodies = 50});
    LabControl lab{core};
    core.state.layout.panel = "view", core.state.layout.panels = false;
    lab.toggle();
    EXPECT_EQ(core.state.layout.panel, "lab");
    EXPECT_TRUE(core.state.layout.panels);
    core.state.layout.panels = false;
    lab.toggle();
    EXPECT_EQ(core.state.layout.panel, "lab") << "it was hidden";
    lab.toggle();
    EXPECT_EQ(core.state.layout.panel, "view");
}

TEST(LabControl, PausesTheBodiesWhileMeasuring) {
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
