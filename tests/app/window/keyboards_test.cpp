// SPDX-License-Identifier: MIT
// Shortcuts on international keyboards, pressed by position: xdotool interprets a number as a key code.
#include <map>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

/// Key codes that produce these characters in a layout, with the required modifiers.
struct Keyboard {
    const char *layout, *z, *y, *m, *select_all, *undo, *plus, *minus, *bracket, *step, *three;
};

class Keyboards : public testing::TestWithParam<Keyboard> {};

TEST_P(Keyboards, ShortcutsFollowTheLabelsOfTheKeys) {
    const Keyboard& keys = GetParam();
    const VirtualDisplay display;
    display.set_keyboard(keys.layout);
    WindowDriver window{display, {"pythagorean"}};
    window.wait_for_bodies();
    const auto pressed = [&](const char* key, const char* what, const std::function<bool(const Json&)>& wanted) {
        const std::string with = key;
        if (with.starts_with("AltGr+"))
            window.xdotool({"keydown", "ISO_Level3_Shift", "key", with.substr(6), "keyup", "ISO_Level3_Shift"});
        else
            window.xdotool({"key", with});
        window.wait_for(std::string{keys.layout} + ": " + what, wanted);
    };
    pressed(keys.three, "the third engine", [](const Json& s) { return s["engine"] == "tree"; });
    pressed(keys.z, "backward", [](const Json& s) { return s["reversed"] == true; });
    pressed(keys.y, "A or B",
            [](const Json& s) { return s["message"].get<std::string>().starts_with("There is no comparison"); });
    pressed(keys.m, "a map",
            [](const Json& s) { return s["message"].get<std::string>().find("map") != std::string::npos; });
    const double speed = window.state("speed_limit");
    pressed(keys.minus, "slower", [&](const Json& s) { return s["speed_limit"] == speed / 2; });
    pressed(keys.plus, "faster", [&](const Json& s) { return s["speed_limit"] == speed; });
    pressed("space", "a pause", [](const Json& s) { return s["paused"] == true; });
    const int step = window.state("step");
    pressed(keys.step, "a step", [&](const Json& s) { return s["step"] != step; });
    const int undos = window.state("hand")["undos"];
    pressed("BackSpace", "a restart", [&](const Json& s) { return s["hand"]["undos"] == undos + 1; });
    pressed(keys.undo, "undone", [&](const Json& s) { return s["hand"]["undos"] == undos; });
    const std::string scene = window.state("scene");
    pressed("Next", "the next preset", [&](const Json& s) { return s["scene"] != scene && s["loading"] == false; });
    pressed(keys.bracket, "the preset before", [&](const Json& s) { return s["scene"] == scene; });
    window.click("Setup");
    window.type_into("Save as", "first");
    window.click("Save as");
    window.wait_for_typing();
    window.xdotool({"key", keys.select_all});
    window.wait_frames(2);
    window.type("second");
    EXPECT_EQ(window.state("typed"), "second") << "the whole text must have been selected";
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, Keyboards,
    testing::Values(Keyboard{"us", "52", "29", "58", "ctrl+38", "ctrl+52", "21", "20", "34", "60", "12"},
                    Keyboard{"de", "29", "52", "58", "ctrl+38", "ctrl+29", "35", "61", "AltGr+17", "60", "12"},
                    Keyboard{"fr", "25", "29", "47", "ctrl+24", "ctrl+25", "21", "Down", "AltGr+14", "shift+59", "12"},
                    Keyboard{"es", "52", "29", "58", "ctrl+38", "ctrl+52", "35", "61", "AltGr+34", "60", "12"}),
    [](const auto& each) { return std::string{each.param.layout}; });

}  // namespace
}  // namespace orrery::test
