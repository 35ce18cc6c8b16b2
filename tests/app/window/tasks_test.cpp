// SPDX-License-Identifier: MIT
// First tasks of a new user, with the number of actions they take. An action is a click, a key with its modifiers, a
// text, or a drag; each task starts in a window just opened.
#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

class Tasks : public WindowTest {
protected:
    void begin() {
        window_ = open_paused({"--fresh", "--backend", "cpu", "plummer", "--bodies", "600"});
        actions_ = 0;
    }
    void key(const std::string& name) {
        ++actions_;
        window_->key(name);
    }
    void click(const std::string& label) {
        ++actions_;
        window_->click(label);
    }
    void type(const std::string& text) {
        ++actions_;
        window_->wait_for_typing();
        window_->type(text);
    }
    template <class Act>
    void act(const Act& once) {
        ++actions_;
        once();
    }
    template <class Wanted>
    void until(const Wanted& wanted) {
        window_->wait_for("the requested state", wanted);
    }
    int actions() const { return actions_; }
    WindowDriver& window() { return *window_; }

private:
    std::unique_ptr<WindowDriver> window_;
    int actions_ = 0;
};

TEST_F(Tasks, EngineMapAndRecording) {
    begin();
    key("2");
    until([](const Json& s) { return s["engine"] == "half"; });
    EXPECT_EQ(actions(), 1) << "another engine";
    const std::string map = window().state("map");
    key("m");
    until([&](const Json& s) { return s["map"] != map; });
    EXPECT_EQ(actions(), 2) << "another map";
    key("r");
    until([](const Json& s) { return s["recording"] == true; });
    EXPECT_EQ(actions(), 3) << "one more: a recording";
}

TEST_F(Tasks, FileIsLoaded) {
    begin();
    write_snapshot(make_preset("plummer", {123, 5}), window().folder() / "mine.csv");
    key("ctrl+o");
    type("mine.csv");
    key("Return");
    until([](const Json& s) { return s["bodies"] == 123; });
    EXPECT_EQ(actions(), 3);
}

TEST_F(Tasks, BodyIsAddedAndUndone) {
    begin();
    click("Body");
    act([&] { take_tool(window(), "One"); });
    act([&] {
        drag_from(window(), 500, 150, 60, 30,
                  [&] { window().wait_for("an aim", [](const Json& s) { return s["hand"]["aiming"] == true; }); });
    });
    until([](const Json& s) { return s["bodies"] == 601; });
    EXPECT_EQ(actions(), 3);
    key("ctrl+z");
    until([](const Json& s) { return s["bodies"] == 600; });
    EXPECT_EQ(actions(), 4) << "one more: undo";
}

TEST_F(Tasks, SceneIsChosenByItsThumbnail) {
    begin();
    key("g");
    until([](const Json& s) { return s["gallery"]["on"] == true; });
    click("Few bodies");
    click("Pythagorean problem");
    until([](const Json& s) { return s["bodies"] == 3; });
    EXPECT_EQ(actions(), 3);
}

TEST_F(Tasks, TwoEnginesAreCompared) {
    begin();
    key("x");
    until([](const Json& s) { return s["compare"]["on"] == true; });
    key("3");
    until([](const Json& s) { return s["engine"] == "tree" && s["compare"]["engine"] == "direct"; });
    EXPECT_EQ(actions(), 2);
}

TEST_F(Tasks, NumberOfBodiesIsChanged) {
    begin();
    click("Bodies");
    type("2k");
    key("Return");
    until([](const Json& s) { return s["bodies"] == 2000; });
    EXPECT_EQ(actions(), 3);
}

TEST_F(Tasks, StateIsSaved) {
    begin();
    key("ctrl+shift+s");
    until([](const Json& s) { return s["saved"] != ""; });
    EXPECT_EQ(actions(), 1);
}

TEST_F(Tasks, ColourModeIsChanged) {
    begin();
    click("Look");
    click("Colour by");
    click("Mass");
    until([](const Json& s) { return s["color_by"] == "mass"; });
    EXPECT_EQ(actions(), 3);
}

}  // namespace
}  // namespace orrery::test
