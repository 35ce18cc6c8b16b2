// SPDX-License-Identifier: MIT
// Closing by the frame's × (Alt + F4 sends the same) and by Esc, in each state of the window.
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

class LeaveWindow : public WindowTest {
protected:
    static bool asked(const Json& s) { return s["leave"] != ""; }
    static void wait_for_question(const WindowDriver& window, const char* begin) {
        window.wait_for("the question",
                        [&](const Json& s) { return s["leave"].get<std::string>().starts_with(begin); });
    }
    static void stay(WindowDriver& window) {
        window.key("Escape");
        window.wait_for("no question", [](const Json& s) { return !asked(s); });
    }
    /// × and Esc ask the same question, and Esc dismisses it.
    static void expect_both_ask(WindowDriver& window, const char* begin) {
        window.close_by_frame();
        wait_for_question(window, begin);
        window.close_by_frame();  // once more: the question stays
        wait_for_question(window, begin);
        stay(window);
        window.key("Escape");
        wait_for_question(window, begin);
        stay(window);
    }
};

TEST_F(LeaveWindow, GalleryAndHelpBlockKeys) {
    WindowDriver& window = shared({"plummer", "--bodies", "300"});
    pause(window);
    for (const char* overlay : {"g", "h"}) {
        const auto is_on = [&](const Json& s) { return s["gallery"]["on"] == true || s["help"] == true; };
        window.key(overlay);
        window.wait_for("the overlay", is_on);
        const Json before = window.state();
        for (const char* key : {"2", "Return", "z", "x", "r", "bracketright", "BackSpace"}) window.key(key);
        const Json after = window.state();
        for (const char* what : {"engine", "precision", "reversed", "recording", "scene", "scene_serial"})
            EXPECT_EQ(before[what], after[what]) << overlay << " " << what;
        EXPECT_EQ(after["compare"]["on"], false);
        window.key("space");
        window.wait_for("the bodies to continue", [](const Json& s) { return s["paused"] == false; });
        window.key("space");
        window.wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
        window.key(overlay);
        window.wait_for("no overlay", [&](const Json& s) { return !is_on(s); });
    }
}

TEST_F(LeaveWindow, EscClosesAnOpenListButNotTheWindow) {
    WindowDriver& window = shared({"plummer", "--bodies", "300"});
    pause(window);
    const std::array<std::array<const char*, 3>, 3> lists{{{"Setup", "Preset", "Pythagorean problem"},
                                                           {"Forces", "Engine", "Half matrix"},
                                                           {"View", "Colour by", "Mass"}}};
    for (const auto& [page, list, choice] : lists) {
        window.click(page);
        window.click(list);
        window.wait_for("the list", [&](const Json&) { return window.shows(choice); });
        window.key("2");  // keys do not act on covered controls
        window.key("Escape");
        window.wait_for("no list", [&](const Json& s) { return !window.shows(choice) && !asked(s); });
        EXPECT_NE(window.state("engine"), "half");
    }
    window.click("Setup");
    window.click("Preset");
    window.wait_for("the list", [&](const Json&) { return window.shows("Pythagorean problem"); });
    window.close_by_frame();
    EXPECT_EQ(window.exit_code(patience()), 0) << "nothing would be lost: × must close";
}

TEST_F(LeaveWindow, AsksWhileRecordingAlsoOverOverlays) {
    auto window = open({"plummer", "--bodies", "300", "--width", "320", "--height", "240"});
    window->click("Recording");
    window->type_into("Path", "f%04d.png");
    window->key("r");
    window->wait_for("frames", [](const Json& s) { return s["recorded_frames"] >= 2; });
    expect_both_ask(*window, "A recording is under way");
    for (const char* overlay : {"g", "h", "ctrl+p"}) {
        window->key(overlay);
        window->wait_for("an overlay", [](const Json& s) {
            return s["gallery"]["on"] == true || s["help"] == true || s["palette"]["on"] == true;
        });
        window->close_by_frame();
        wait_for_question(*window, "A recording is under way");
        stay(*window);
        for (int i = 0; i < 2 && (window->state("gallery")["on"] == true || window->state("help") == true); ++i)
            window->key("Escape");
        window->wait_for("no overlay", [](const Json& s) {
            return s["gallery"]["on"] == false && s["help"] == false && s["palette"]["on"] == false;
        });
    }
    EXPECT_EQ(window->state("recording"), true);
    window->close_by_frame();
    wait_for_question(*window, "A recording is under way");
    window->xdotool({"key", "Return"});
    EXPECT_EQ(window->exit_code(patience()), 0);
    EXPECT_TRUE(std::filesystem::exists(window->folder() / "f0001.png"));
}

TEST_F(LeaveWindow, AsksAfterAnHourOfRunningAndEnterSaves) {
    auto window =
        open({"plummer", "--bodies", "100", "--clock", "1", "--max-fps", "1000", "--width", "160", "--height", "120"});
    window->key("shift+i");  // without panels, a frame takes less time
    window->wait_frames(3605);
    window->key("shift+i");
    expect_both_ask(*window, "This run is more than an hour old");
    window->close_by_frame();
    wait_for_question(*window, "This run is more than an hour old");
    window->xdotool({"key", "Return"});
    EXPECT_EQ(window->exit_code(patience()), 0);
    int saved = 0;
    for (const auto& each : std::filesystem::directory_iterator{window->folder()})
        saved += each.path().extension() == ".orrery";
    EXPECT_EQ(saved, 1);
}

TEST_F(LeaveWindow, AsksIfEditsAreUnsaved) {
    auto window = open_paused({"plummer", "--bodies", "300"});
    window->click("Body");
    window->type_into("Pick number", "7");
    window->type_into("Mass ×", "3");
    window->wait_for("an edit", [](const Json& s) { return s["hand"]["undos"] == 1; });
    window->key("Escape");  // deselects
    window->wait_for("no selection", [](const Json& s) { return s["hand"]["picked"] == 0; });
    expect_both_ask(*window, "Bodies were changed by hand");
    window->key("ctrl+shift+s");
    window->wait_for("saved", [](const Json& s) { return s["saved"] != ""; });
    window->close_by_frame();
    EXPECT_EQ(window->exit_code(patience()), 0) << "the edits are saved";
}

TEST_F(LeaveWindow, ControlOOpensFilesAndTabCompletes) {
    auto window = open_paused({"plummer", "--bodies", "300"});
    std::filesystem::create_directories(window->folder() / "snapshots");
    std::ofstream{window->folder() / "snapshots" / "first.csv"} << "x,y,z,vx,vy,vz,m\n1,0,0,0,0,0,1\n-1,0,0,0,0,0,1\n";
    // The second time the field contains a path, which is selected, and names are completed in the folder shown.
    for (const std::string folder : {"snapshots/", ""}) {
        window->key("ctrl+o");
        window->wait_for_typing();
        if (!folder.empty()) {
            window->type("snap");
            window->xdotool({"key", "Tab"});
            window->wait_for("the folder", [&](const Json& s) { return s["typed"] == folder; });
        }
        window->type("f");
        window->xdotool({"key", "Tab"});
        window->wait_for("the file", [&](const Json& s) { return s["typed"] == folder + "first.csv"; });
        window->key("Return");
        window->wait_for("its bodies", [](const Json& s) { return s["bodies"] == 2 && s["gallery"]["on"] == false; });
        window->key("bracketright");
        window->wait_for("another scene", [](const Json& s) { return s["scene"] != "first.csv"; });
    }
}

}  // namespace
}  // namespace orrery::test
