// SPDX-License-Identifier: MIT
#include <cmath>

#include "app/window/engine/engine_choice.hpp"
#include "core/cuda/info.hpp"
#include "core/gl/info.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

class KeysWindow : public WindowTest {};

TEST_F(KeysWindow, TextFieldsReceiveShortcutKeys) {
    WindowDriver& window = shared({"plummer", "--bodies", "500"});
    window.click("Setup");
    window.type_into("File", "h s.tipsy");  // contains the keys of help, pause, screenshot and single step
    EXPECT_EQ(window.state("help"), false);
    EXPECT_EQ(window.state("paused"), false);
    EXPECT_EQ(window.state("last_screenshot"), "");
    EXPECT_EQ(window.state("precision"), "single");  // Enter ended the text
    window.type_into("File", "another.tipsy");       // replaces the text: Ctrl+A follows at once
    window.wait_for("a message", [](const Json& s) {
        return s["message"].get<std::string>().find("another.tipsy") != std::string::npos;
    });
    EXPECT_EQ(window.state("message").get<std::string>().find("h s"), std::string::npos) << window.state("message");
}

TEST_F(KeysWindow, KeysPauseStepAndSwitch) {
    WindowDriver& window = shared({"plummer", "--bodies", "500"});
    window.key("space");
    window.wait_for("the pause", [](const Json& s) { return s["paused"] == true; });
    const int step = window.state("step");
    window.key("period");
    window.wait_for("one step", [&](const Json& s) { return s["step"] == step + 1; });
    window.key("Return");
    window.wait_for("mixed", [](const Json& s) { return s["precision"] == "mixed"; });
    window.key("Return");
    window.wait_for("double", [](const Json& s) { return s["precision"] == "double"; });
    const double speed = window.state("speed_limit");
    window.key("minus");
    window.wait_for("slower", [&](const Json& s) { return s["speed_limit"] == speed / 2; });
    window.key("plus");
    window.wait_for("faster", [&](const Json& s) { return s["speed_limit"] == speed; });
}

/// A window opens before its bodies are loaded.
TEST_F(KeysWindow, MayBePressedBeforeBodiesAreLoaded) {
    bool before = false;
    for (int bodies = 300'000; !before && bodies < 10'000'000; bodies *= 3) {
        WindowDriver window{
            *display(),
            {"plummer", "--bodies", std::to_string(bodies), "--backend", "cpu", "--width", "320", "--height", "240"}};
        window.wait_for("a frame", [](const Json&) { return true; });
        window.xdotool(
            {"key", "f", "c", "p", "o", "x", "y", "Home", "Left", "Delete", "m", "z", "r", "s", "space", "k"});
        window.wait_for("the last key", [&](const Json& s) {
            before = s["bodies"].is_null();
            return s["camera"]["keys"].size() == 1;
        });
        window.wait_for_bodies();
        window.wait_frames(2);
    }
    EXPECT_TRUE(before) << "bodies were loaded first: this machine needs more of them";
}

/// Eight keys select eight engines, the same on every machine; none changes the backend unnecessarily.
TEST_F(KeysWindow, NumbersSelectTheEngineOnTheCurrentBackend) {
    auto window = open({"plummer", "--bodies", "500", "--backend", "cpu", "--precision", "double"});
    const auto keys = engine_keys();
    for (const std::size_t number : {2, 3, 4, 5, 6, 7, 8, 1}) {
        const std::string id{keys[number - 1]};
        const int step = window->state("step");
        window->key(std::to_string(number));
        window->wait_for(id + " and a step by it", [&](const Json& s) {
            return s["engine"] == id && s["backend"] == "cpu" && s["precision"] == "double" && s["step"] > step;
        });
    }
}

TEST_F(KeysWindow, BTogglesTheBackend) {
    auto window = open_paused({"plummer", "--bodies", "500", "--engine", "half", "--backend", "cpu"});
    window->key("b");
    if (!cuda_info().available && gl_compute_info().available) {
        window->wait_for("half on gl, drawn from the buffers of the engine", [](const Json& s) {
            return s["engine"] == "half" && s["backend"] == "gl" && s["way"] == "shared";
        });
        const int step = window->state("step");
        window->key("space");
        window->wait_for("a step there", [&](const Json& s) { return s["step"] > step && s["bodies"] == 500; });
        window->key("b");
        window->wait_for("the CPU and the bodies of before", [&](const Json& s) {
            return s["engine"] == "half" && s["backend"] == "cpu" && s["way"] == "host" && s["step"] > step &&
                   s["bodies"] == 500 && s["energy_drift"].is_number() &&
                   std::abs(s["energy_drift"].get<double>()) < 1e-3;
        });
        return;
    }
    if (!cuda_info().available) {
        window->wait_for("why not", [](const Json& s) {
            return s["message"] == "Half matrix stays on cpu; cuda: " + cuda_info().reason && s["backend"] == "cpu";
        });
        return;
    }
    window->wait_for("half on the card", [](const Json& s) { return s["engine"] == "half" && s["backend"] == "cuda"; });
    window->key("m");
    window->wait_for("a map there", [](const Json& s) { return s["map"] != "lambda" && s["backend"] == "cuda"; });
    window->key("3");
    window->wait_for("the tree there", [](const Json& s) { return s["engine"] == "tree" && s["backend"] == "cuda"; });
    window->key("b");
    window->wait_for("the CPU", [](const Json& s) { return s["engine"] == "tree" && s["backend"] == "cpu"; });
}

TEST_F(KeysWindow, BracketsCycleThroughThePresets) {
    const auto menu = presets();
    const std::size_t last = menu.size() - 1;
    auto window = open({std::string{menu[last].id}});
    const auto pressed = [&](const char* key, std::size_t preset) {
        window->key(key);
        window->wait_for(key, [&](const Json& s) { return s["scene"] == menu[preset].id; });
    };
    pressed("bracketleft", last - 1);
    pressed("bracketright", last);
    pressed("bracketright", 0);  // wraps around to the first
    pressed("bracketleft", last);
}

TEST_F(KeysWindow, KeysToggleHelpPanelsAndFigures) {
    auto window = open_paused({"plummer", "--bodies", "500", "--width", "640", "--height", "360"});
    window->key("h");
    window->wait_for("help", [&](const Json& s) { return s["help"] == true && window->shows("Close help"); });
    window->key("Escape");
    window->wait_for("no help", [](const Json& s) { return s["help"] == false; });
    window->key("Tab");
    window->wait_for("no panels", [&](const Json& s) { return s["panels"] == false && !window->shows("Pause"); });
    window->key("i");
    window->wait_for("no figures", [](const Json& s) { return s["overlay"] == false; });
    window->key("f");
    window->wait_for("following", [](const Json& s) { return s["follow"] == true; });
    window->key("shift+F3");
    window->wait_for("a stored camera", [](const Json& s) { return s["message"] == "Camera stored; F3 recalls it"; });
    window->key("F4");
    window->wait_for("an empty place",
                     [](const Json& s) { return s["message"].get<std::string>().starts_with("No camera"); });
    window->key("Escape");
    EXPECT_EQ(window->exit_code(patience()), 0);
}

TEST_F(KeysWindow, ScreenshotIsWritten) {
    auto window = open_paused({"plummer", "--bodies", "500", "--width", "640", "--height", "360"});
    window->key("s");
    window->wait_for("a screenshot", [](const Json& s) { return s["last_screenshot"] != ""; });
    const std::filesystem::path path = window->state("last_screenshot").get<std::string>();
    EXPECT_EQ(path.extension(), ".png");
    EXPECT_EQ(path.parent_path(), window->folder());
    EXPECT_GT(std::filesystem::file_size(path), 1000u);
}

}  // namespace
}  // namespace orrery::test
