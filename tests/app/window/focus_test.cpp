// SPDX-License-Identifier: MIT
// The keyboard's focus: Tab reaches every control of every page and dialog, and the focused control is marked.
#include <algorithm>
#include <set>

#include "tests/app/window/window_fixture.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;
using Labels = std::set<std::string>;

const std::vector<std::string> kDirect{"plummer", "--bodies", "300", "--backend", "cpu"};
const std::vector<std::string> kHalf{"plummer", "--bodies", "300", "--backend", "cpu", "--engine", "half"};

class FocusWindow : public WindowTest {
protected:
    static WindowDriver& paused(const std::vector<std::string>& arguments) {
        WindowDriver& window = shared(arguments);
        pause(window);
        return window;
    }
    static std::string focus(const WindowDriver& window) { return window.state("focus").get<std::string>(); }
    /// Returns after three frames, because ImGui scrolls to the control in the frame after the key, or once another
    /// control is marked and visible.
    static void press(WindowDriver& window, const char* key) {
        const std::string before = focus(window);
        window.xdotool({"key", key});
        const int frame = window.state("frames");
        window.wait_for("the next control", [&](const Json& s) {
            return s["frames"] >= frame + 3 || (s["focus"] != before && window.shows(s["focus"].get<std::string>()));
        });
    }
    static void begin_keyboard(WindowDriver& window) {
        window.key("n");
        window.wait_for("the keyboard", [](const Json& s) { return s["keyboard"] == true; });
        window.wait_frames(3);
    }
    /// Presses Tab until it has been everywhere, and returns the labels. Each focused control must be visible.
    static Labels walk(WindowDriver& window, const std::string& where) {
        Labels reached;
        const std::size_t most = window.map()["controls"].size() + 8;
        for (std::size_t i = 0; i < most; ++i) {
            press(window, "Tab");
            const std::string now = focus(window);
            EXPECT_FALSE(now.empty()) << where << ": no mark after " << i << " times Tab";
            EXPECT_TRUE(window.shows(now)) << where << ": " << now << " is marked where it cannot be seen";
            if (now.empty()) break;
            reached.insert(now);
        }
        return reached;
    }
    static Labels expect_all_reached(WindowDriver& window, const std::string& where) {
        const Labels wanted = window.map()["controls"].get<Labels>();
        EXPECT_FALSE(wanted.empty()) << where;
        const Labels reached = walk(window, where);
        for (const std::string& label : wanted)
            EXPECT_TRUE(reached.contains(label)) << where << ": Tab does not reach " << label;
        return reached;
    }
    /// Every widget that the mouse reaches is a control that the keyboard reaches.
    static void expect_widgets_are_controls(const WindowDriver& window, const std::string& where) {
        const Json map = window.map();
        const Labels controls = map["controls"].get<Labels>();
        for (const auto& [label, place] : map["widgets"].items())
            EXPECT_TRUE(controls.contains(label)) << where << ": " << label << " has no place in the order of Tab";
    }
};

TEST_F(FocusWindow, PagesHaveAtMostOnePrimaryAction) {
    WindowDriver& window = shared(kHalf);
    const Json pages = window.map()["pages"];
    const auto primary = [&] { return window.map()["primary"].get<std::vector<std::string>>(); };
    for (const auto& [page, group] : pages.items()) {
        window.click(page);
        window.wait_frames(4);
        EXPECT_LE(primary().size(), 1u) << page;
    }
    const std::vector<std::pair<std::string, std::string>> known{
        {"Setup", "Scenes and files"}, {"Maps", "Walk"}, {"Lab", "Start"}, {"Compare", "Begin comparison"}};
    for (const auto& [page, action] : known) {
        window.click(page);
        window.wait_frames(4);
        EXPECT_EQ(primary(), std::vector<std::string>{action}) << page;
    }
}

TEST_F(FocusWindow, TabReachesEveryControlOfEveryPage) {
    WindowDriver& window = paused(kHalf);
    const Json pages = window.map()["pages"];
    int number = 0;
    for (const auto& [page, group] : pages.items()) {
        window.click(page);
        window.wait_frames(4);
        if (window.shows("Advanced")) window.click("Advanced");
        window.wait_frames(4);
        begin_keyboard(window);
        expect_widgets_are_controls(window, page);
        // Tab follows the controls of the map in the same way on each page: every day on every second one.
        if (number++ % 2 == 0 || runs_long()) expect_all_reached(window, page);
    }
}

TEST_F(FocusWindow, TabReachesEveryControlOfDialogsAndStaysInThem) {
    WindowDriver& window = paused(kHalf);
    for (const char* key : {"g", "h"}) {
        window.key(key);
        window.wait_frames(8);
        EXPECT_FALSE(expect_all_reached(window, key).contains("Restart")) << key << ": of the panels behind it";
        window.key("Escape");  // ends keyboard control
        window.wait_frames(2);
        window.key("Escape");
        window.wait_for("no dialog", [](const Json& s) { return s["gallery"]["on"] == false && s["help"] == false; });
    }
    window.key("x");
    window.wait_for("a comparison", [](const Json& s) { return s["compare"]["on"] == true; });
    window.wait_frames(8);
    begin_keyboard(window);
    expect_widgets_are_controls(window, "comparison");
    expect_all_reached(window, "comparison");
}

/// A tooltip is drawn above all windows: that of a covered control must disappear.
TEST_F(FocusWindow, DialogsHideTooltipsOfCoveredWidgets) {
    WindowDriver& window = paused(kDirect);
    const auto tips = [&] {
        int count = 0;
        const Json places = window.map()["places"];
        for (const auto& [name, place] : places.items()) count += name.starts_with("##Tooltip");
        return count;
    };
    for (const char* key : {"g", "ctrl+p", "h"}) {
        window.point_at("Scene", 0.02);
        window.wait_for("its tip", [&](const Json&) { return tips() > 0; });
        window.key(key);
        window.wait_frames(6);
        EXPECT_EQ(tips(), 0) << key;
        window.key("Escape");
        window.wait_frames(3);
    }
    window.key("r");
    window.wait_for("a recording", [](const Json& s) { return s["recording"] == true; });
    window.point_at("Scene", 0.02);
    window.wait_for("its tip", [&](const Json&) { return tips() > 0; });
    window.key("Escape");
    window.wait_for("the question", [](const Json& s) { return !s["leave"].get<std::string>().empty(); });
    window.wait_frames(6);
    EXPECT_EQ(tips(), 0) << "question";
    window.key("Escape");
    window.key("r");
    window.wait_for("no recording", [](const Json& s) { return s["recording"] == false; });
}

TEST_F(FocusWindow, QuestionBeforeLeavingIsAnsweredByMouseAndByFocus) {
    WindowDriver& window = paused(kDirect);
    window.key("r");
    window.wait_for("a recording", [](const Json& s) { return s["recording"] == true; });
    const auto asks = [&] {
        window.key("Escape");
        window.wait_for("the question", [](const Json& s) { return !s["leave"].get<std::string>().empty(); });
        window.wait_frames(4);
    };
    const auto stays = [](const Json& s) { return s["leave"].get<std::string>().empty() && s["recording"] == true; };
    asks();
    window.point_at("Stay");
    window.xdotool({"mousedown", "1"});
    window.wait_frames(4);  // a press by hand lasts several frames
    window.xdotool({"mouseup", "1"});
    window.wait_for("it stays", stays);
    asks();
    for (int i = 0; i < 4 && focus(window) != "Stay"; ++i) press(window, "Tab");
    ASSERT_EQ(focus(window), "Stay");
    window.key("Return");  // without a focus, it would close the window
    window.wait_for("it stays", stays);
    window.wait_frames(4);  // while Enter holds the button, Escape lets go of it
    window.key("Escape");
    window.wait_for("the end of keyboard control", [](const Json& s) { return s["keyboard"] == false; });
    window.key("r");
    window.wait_for("no recording", [](const Json& s) { return s["recording"] == false; });
}

TEST_F(FocusWindow, ReturnAndArrowsActOnTheFocusedControl) {
    WindowDriver& window = paused(kDirect);
    begin_keyboard(window);
    const auto go_to = [&](const std::string& label) {
        for (int i = 0; i < 80 && focus(window) != label; ++i) press(window, "Tab");
        ASSERT_EQ(focus(window), label);
    };
    go_to("Look");
    window.key("Return");
    window.wait_for("its page", [](const Json& s) { return s["panel"] == "view"; });
    go_to("Sidebar edge");
    const int before = window.state("sidebar");
    press(window, "Right");
    window.wait_for("a wider sidebar", [&](const Json& s) { return s["sidebar"] > before; });
    EXPECT_EQ(focus(window), "Sidebar edge");
    press(window, "shift+Tab");
    EXPECT_NE(focus(window), "Sidebar edge");
    go_to("Step");
    const auto step = window.state("step").get<std::int64_t>();
    window.key("space");
    window.wait_for("a step", [&](const Json& s) { return s["step"] == step + 1; });
}

TEST_F(FocusWindow, GalleryOpensTheFocusedCard) {
    WindowDriver& window = paused(kDirect);
    window.key("g");
    window.wait_for("the gallery", [](const Json& s) { return s["gallery"]["on"] == true; });
    for (int i = 0; i < 60 && focus(window) != "Figure eight"; ++i) press(window, "Tab");
    ASSERT_EQ(focus(window), "Figure eight");
    window.key("Return");
    window.wait_for("its bodies", [](const Json& s) { return s["bodies"] == 3; });
}

}  // namespace
}  // namespace orrery::test
