// SPDX-License-Identifier: MIT
// Bodies edited by hand in the real window, undone, and replayed from a session.
#include <cmath>
#include <fstream>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"
#include "core/simulation/checkpoint.hpp"
#include "tests/app/window/drag_source.hpp"
#include "tests/app/window/window_fixture.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

class WindowEdits : public WindowTest {
protected:
    /// Tests leave it without edits; that of a saved state is the last.
    static WindowDriver& paused_cluster() {
        WindowDriver& window = shared({"plummer", "--bodies", "300"});
        pause(window);
        return window;
    }
    static void undo(WindowDriver& window) { window.key("ctrl+z"); }
    static void redo(WindowDriver& window) { window.key("ctrl+shift+z"); }
    static double speed_of(const Json& state) {
        const Json v = state["hand"]["body"]["velocity"];
        return std::hypot(v[0].get<double>(), v[1].get<double>(), v[2].get<double>());
    }
    /// Picks a body in a paused window and returns the position of its marker.
    static Json pick(WindowDriver& window, const std::string& number) {
        window.click("Body");
        window.type_into("Pick number", number);
        window.wait_for("its mark",
                        [](const Json& s) { return s["hand"].contains("body") && s["hand"]["markers"].size() == 1; });
        return window.state("hand")["markers"][0];
    }
};

TEST_F(WindowEdits, ThrowMoveAndRemovalAreUndoneAndRedone) {
    auto window = open_paused({"solar-system"});
    const Json mark = pick(*window, "6");
    const double yaw = window->state("camera_yaw"), x = mark[0], y = mark[1];
    const Json before = window->state();
    drag_from(*window, x, y, 30, 20,
              [&] { window->wait_for("its path", [](const Json& s) { return s["hand"]["path"] > 100; }); });
    window->wait_for("another velocity", [&](const Json& s) {
        return s["hand"].contains("body") && speed_of(s) != speed_of(before) && s["hand"]["undos"] == 1;
    });
    EXPECT_EQ(window->state("hand")["body"]["position"], before["hand"]["body"]["position"]);
    EXPECT_EQ(window->state("camera_yaw"), yaw) << "the camera must not turn";
    window->click("Circular orbit");
    window->wait_for("an orbit", [](const Json& s) { return s["hand"]["undos"] == 2; });
    window->xdotool({"keydown", "shift"});
    drag_from(*window, x, y, 25, 0, [] {});
    window->xdotool({"keyup", "shift"});
    window->wait_for("another place", [&](const Json& s) {
        return s["hand"].contains("body") && s["hand"]["body"]["position"] != before["hand"]["body"]["position"] &&
               s["hand"]["undos"] == 3;
    });
    window->key("Delete");
    window->wait_for("one less", [](const Json& s) { return s["bodies"] == 8 && s["hand"]["picked"] == 0; });
    for (int left = 3; left >= 0; --left) {
        undo(*window);
        window->wait_for("the state before", [=](const Json& s) { return s["hand"]["undos"] == left; });
    }
    EXPECT_EQ(window->state("bodies"), 9);
    pick(*window, "6");
    EXPECT_EQ(speed_of(window->state()), speed_of(before));
    EXPECT_EQ(window->state("hand")["body"]["position"], before["hand"]["body"]["position"]);
    for (int redone = 1; redone <= 4; ++redone) {
        redo(*window);
        window->wait_for("the state after", [=](const Json& s) { return s["hand"]["undos"] == redone; });
    }
    window->wait_for("one less", [](const Json& s) { return s["bodies"] == 8; });
}

TEST_F(WindowEdits, ClusterIsAddedAtTheMouse) {
    WindowDriver& window = paused_cluster();
    window.click("Body");
    window.click("Cluster");
    window.type_into("Bodies", "40");
    window.wait_for("the tool", [](const Json& s) { return s["hand"]["adds"] == "add-cluster"; });
    const double mass = window.state("hand")["new_mass"];
    EXPECT_NEAR(mass, 1.0 / 300, 1e-12);
    drag_from(window, 560, 150, 0, 40, [&] {
        window.wait_for("an aim", [](const Json& s) { return s["hand"]["aiming"] == true; });
        window.xdotool({"click", "4"});  // mouse wheel
        window.wait_for("a larger mass", [&](const Json& s) { return s["hand"]["new_mass"] > 1.2 * mass; });
    });
    window.wait_for("the cluster", [](const Json& s) { return s["bodies"] == 340 && s["hand"]["picked"] == 40; });
    window.key("Escape");
    window.wait_for("no tool", [](const Json& s) { return s["hand"]["adds"] == ""; });
    undo(window);
    window.wait_for("no cluster", [](const Json& s) { return s["bodies"] == 300 && s["hand"]["picked"] == 0; });
}

TEST_F(WindowEdits, BrushStrokeIsOneEditAndLassoSelectionIsPinned) {
    WindowDriver& window = paused_cluster();
    window.click("Body");
    window.click("Stir");
    window.wait_for("the brush", [](const Json& s) { return s["hand"]["brushes"] == "stir"; });
    drag_from(window, 640, 300, 40, 20,
              [&] { window.wait_for("its touches", [](const Json& s) { return s["hand"]["undos"] == 1; }); });
    window.key("Escape");
    window.wait_for("no brush", [](const Json& s) { return s["hand"]["brushes"] == ""; });
    EXPECT_EQ(window.state("hand")["undos"], 1);
    window.xdotool({"keydown", "ctrl", "keydown", "shift"});
    move_to(window, 560, 200);
    window.xdotool({"mousedown", "1"});
    window.wait_frames(2);
    for (const auto& [x, y] : {std::pair{800, 210}, {790, 460}, {570, 450}}) move_to(window, x, y);
    window.xdotool({"mouseup", "1"});
    window.xdotool({"keyup", "shift", "keyup", "ctrl"});
    window.wait_for("the bodies within", [](const Json& s) { return s["hand"]["picked"] > 5; });
    EXPECT_LT(window.state("hand")["picked"], 200);
    window.click("Pin");
    window.wait_for("the pins", [](const Json& s) { return s["hand"]["undos"] == 2; });
    undo(window);
    undo(window);
    window.wait_for("the beginning", [](const Json& s) { return s["hand"]["undos"] == 0; });
}

TEST_F(WindowEdits, CurrentStateIsSavedAndOpened) {
    try {
        require_checkpoints();
    } catch (const Error& why) {
        GTEST_SKIP() << why.what();
    }
    WindowDriver& window = paused_cluster();
    pick(window, "5");
    window.key("Delete");
    window.wait_for("one less", [](const Json& s) { return s["bodies"] == 299; });
    window.key("ctrl+shift+s");
    window.wait_for("the file", [](const Json& s) { return s["saved"] != ""; });
    const std::string saved = window.state("saved");
    EXPECT_EQ(read_snapshot(saved).bodies.size(), 299u);
    window.key("BackSpace");
    window.wait_for("the beginning", [](const Json& s) { return s["bodies"] == 300; });
    EXPECT_TRUE(drop_file(window.display(), saved, 640, 320));
    window.wait_for("the state", [](const Json& s) { return s["bodies"] == 299; });
}

TEST_F(WindowEdits, RestartAndSceneChangeAreUndone) {
    auto window = open({"cold-sphere", "--bodies", "300"});
    window->wait_for("some steps", [](const Json& s) { return s["step"] > 50; });
    window->key("space");
    window->wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
    const int step = window->state("step");
    window->key("BackSpace");
    window->wait_for("the beginning", [=](const Json& s) { return s["step"] < step; });
    undo(*window);
    window->wait_for("the run", [=](const Json& s) { return s["step"] >= step; });
    window->key("bracketright");
    window->wait_for("another scene", [](const Json& s) { return s["scene"] == scene_after("cold-sphere"); });
    undo(*window);
    window->wait_for("the first scene",
                     [=](const Json& s) { return s["scene"] == "cold-sphere" && s["step"] >= step; });
    EXPECT_EQ(window->state("bodies"), 300);
}

TEST_F(WindowEdits, SessionReplaysEdits) {
    const auto scene = scratch() / "edits.toml";
    std::ofstream{scene}
        << "[scene]\npreset = \"plummer\"\nbodies = 200\n[engine]\nengine = \"direct\"\nbackend = "
           "\"cpu\"\n[record]\npath = \"window/f%04d.png\"\nwidth = 320\nheight = 180\nsession = true\n";
    auto window = open({scene.string()});
    window->key("r");
    const auto recorded = [&](int more) {
        const int now = window->state("recorded_frames");
        window->wait_for("frames", [=](const Json& s) { return s["recorded_frames"] >= now + more; });
    };
    recorded(2);
    window->click("Body");
    window->type_into("Pick number", "7");
    window->wait_for("picked", [](const Json& s) { return s["hand"]["markers"].size() == 1; });
    window->click("Duplicate");
    window->wait_for("two of them", [](const Json& s) { return s["bodies"] == 201; });
    take_tool(*window, "Ring");
    drag_from(*window, 560, 150, 10, 30, [] {});
    window->wait_for("a ring", [](const Json& s) { return s["bodies"] > 201; });
    window->key("3");
    window->wait_for("the tree", [](const Json& s) { return s["engine"] == "tree"; });
    recorded(2);
    undo(*window);
    window->wait_for("no ring", [](const Json& s) { return s["bodies"] == 201; });
    recorded(2);
    redo(*window);
    window->wait_for("a ring again", [](const Json& s) { return s["bodies"] > 201; });
    recorded(2);
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    EXPECT_GE(window->state("recorded_frames"), 8);
    expect_session_replays(*window);
}

/// Twenty edits by mouse and keys, some undone and redone, three engines, and mergers; the command replays it twice.
TEST_F(WindowEdits, SessionReplaysTwentyEditsEnginesAndMergers) {
    if (!runs_long()) GTEST_SKIP() << "takes half a minute; set ORRERY_LONG=1";
    const auto scene = scratch() / "hands.toml";
    std::ofstream{scene}
        << "[scene]\npreset = \"plummer\"\nbodies = 200\n[engine]\nengine = \"direct\"\nbackend = "
           "\"cpu\"\n[record]\npath = \"window/f%04d.png\"\nwidth = 320\nheight = 180\nsession = true\n";
    auto window = open({scene.string(), "--width", "1000", "--height", "700"});
    window->key("r");
    const auto recorded = [&](int more) {
        const int now = window->state("recorded_frames");
        window->wait_for("frames", [=](const Json& s) { return s["recorded_frames"] >= now + more; });
    };
    int edits = 0;
    const auto edited = [&](const char* what) {
        ++edits;
        window->wait_for(what, [=](const Json& s) { return s["hand"]["undos"] == edits; });
    };
    recorded(2);
    window->click("Body");
    for (const char* number : {"7", "40", "111"}) {
        window->type_into("Pick number", number);
        window->wait_for("picked", [](const Json& s) { return s["hand"]["markers"].size() == 1; });
        window->type_into("Mass ×", "3");
        edited("a mass");
        window->type_into("Velocity ×", "0.5");
        edited("a velocity");
        window->click("Circular orbit");
        edited("an orbit");
        window->click("Pin");
        edited("a pin");
        window->click("Duplicate");
        edited("a copy");
    }
    window->key("2");
    window->wait_for("half", [](const Json& s) { return s["engine"] == "half"; });
    for (const char* added : {"Ring", "Cluster"}) {
        take_tool(*window, added);
        drag_from(*window, 700, 150, 10, 30, [] {});
        edited(added);
        window->key("Escape");
    }
    window->key("Delete");
    edited("fewer bodies");
    take_tool(*window, "Stir");
    drag_from(*window, 640, 300, 40, 20, [&] { edited("a stroke"); });
    window->key("Escape");
    window->type_into("Pick number", "3");
    window->click("Unpin");
    edited("no pin");
    for (int i = 0; i < 3; ++i) {
        undo(*window);
        window->wait_for("undone", [=](const Json& s) { return s["hand"]["undos"] == edits - i - 1; });
    }
    window->key("3");
    window->wait_for("the tree", [](const Json& s) { return s["engine"] == "tree"; });
    for (int i = 3; i > 0; --i) {
        redo(*window);
        window->wait_for("redone", [=](const Json& s) { return s["hand"]["undos"] == edits - i + 1; });
    }
    window->click("Encounters");
    window->choose("Encounters", "Merge");
    window->wait_for("mergers", [](const Json& s) { return s["encounters"]["merges"] > 3; });
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    EXPECT_EQ(edits, 20);
    expect_session_replays(*window);
    expect_session_replays(*window);
}

}  // namespace
}  // namespace orrery::test
