// SPDX-License-Identifier: MIT
#include <cmath>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

void click_at(const WindowDriver& window, double x, double y) {
    window.xdotool({"mousemove", std::to_string(std::lround(x)), std::to_string(std::lround(y))});
    window.wait_frames(2);
    window.xdotool({"click", "1"});
    window.wait_frames(2);
}

class HandWindow : public WindowTest {};

TEST_F(HandWindow, BodyIsSelectedByNumberAndByClick) {
    auto window = open_paused({"solar-system", "--precision", "double"});
    window->click("Body");
    window->type_into("Pick number", "8");  // Neptune, isolated far from the others
    window->wait_for("Neptune", [](const Json& s) { return s["hand"]["picked"] == 1 && s["hand"].contains("body"); });
    const Json seen = window->state("hand")["body"];
    EXPECT_NEAR(seen["distance"], 30, 0.6);
    EXPECT_NEAR(seen["mass"], 5.15e-5, 1e-6);
    window->wait_for("its mark", [](const Json& s) { return s["hand"]["markers"].size() == 1; });
    const Json mark = window->state("hand")["markers"][0];
    window->key("Escape");
    window->wait_for("no selection", [](const Json& s) {
        return s["hand"]["picked"] == 0 && s["hand"]["markers"].empty() && !s["hand"].contains("body");
    });
    window->click("Forces");
    click_at(*window, mark[0].get<double>() + 4, mark[1].get<double>() - 3);
    window->wait_for("the same body", [](const Json& s) {
        return s["panel"] == "hand" && s["hand"].contains("body") && s["hand"]["body"]["id"] == 8;
    });
    window->key("period");
    window->wait_for("a force to compare", [](const Json& s) { return s["hand"]["body"]["error"].is_number(); });
    EXPECT_LT(window->state("hand")["body"]["error"], 1e-13);
    // There is no body near the upper edge.
    click_at(*window, 560, 10);
    window->wait_for("no selection", [](const Json& s) { return s["hand"]["picked"] == 0; });
    window->click("Body");
    EXPECT_TRUE(window->greyed("Deselect"));
    EXPECT_TRUE(window->greyed("Follow it"));
}

TEST_F(HandWindow, DragThatTurnsSelectsNothing) {
    auto window = open_paused({"plummer", "--bodies", "2000"});
    const double yaw = window->state("camera_yaw");
    window->xdotool({"mousemove", "640", "288"});
    window->wait_frames(2);
    window->xdotool({"mousedown", "1"});
    window->wait_frames(2);
    window->xdotool({"mousemove_relative", "--", "60", "0"});
    window->wait_frames(3);
    window->xdotool({"mouseup", "1"});
    window->wait_for("turned", [&](const Json& s) { return s["camera_yaw"] != yaw; });
    EXPECT_EQ(window->state("hand")["picked"], 0);
}

TEST_F(HandWindow, BoxSelectionShowsGroupProperties) {
    auto window = open_paused({"plummer", "--bodies", "500"});
    window->key("Tab");  // hide the panels
    window->xdotool({"mousemove", "2", "2"});
    window->wait_frames(2);
    const Json before = window->state();
    window->xdotool({"keydown", "ctrl"});
    window->wait_frames(2);
    window->xdotool({"mousedown", "1"});
    window->wait_frames(2);
    window->xdotool({"mousemove", "512", "288"});
    window->wait_for("the box", [](const Json& s) { return s["hand"]["boxing"] == true; });
    window->xdotool({"mousemove", "1277", "716"});
    window->wait_frames(3);
    window->xdotool({"mouseup", "1"});
    window->xdotool({"keyup", "ctrl"});
    window->wait_for("a group", [](const Json& s) { return s["hand"].contains("group"); });
    const Json hand = window->state("hand");
    EXPECT_GT(hand["picked"], 400) << "90 % of the bodies fill the view";
    EXPECT_EQ(hand["group"]["count"], hand["picked"]);
    EXPECT_NEAR(hand["group"]["mass"].get<double>(), hand["picked"].get<double>() / 500, 1e-6);
    EXPECT_NEAR(hand["group"]["dispersion"].get<double>(), 0.4, 0.1) << "2K = 1/2: √(1/2/3) = 0.41 of all";
    EXPECT_EQ(hand["markers"].size(), 256u);
    EXPECT_GE(hand["outline"], 3) << "one outline around the selection";
    EXPECT_LE(hand["arrows"], 2) << "only the mean velocity and acceleration";
    EXPECT_EQ(window->state("camera_yaw"), before["camera_yaw"]) << "the camera must not turn";
    window->key("Escape");
    window->wait_for("no selection",
                     [](const Json& s) { return s["hand"]["picked"] == 0 && !s["hand"].contains("group"); });
    window->key("Tab");
    window->key("BackSpace");
    window->wait_for("the restarted scene", [&](const Json& s) { return s["scene_serial"] > before["scene_serial"]; });
}

TEST_F(HandWindow, AnotherSceneClearsTheSelection) {
    auto window = open_paused({"cold-sphere", "--bodies", "300"});
    window->click("Body");
    window->type_into("Pick number", "299");
    window->wait_for("picked", [](const Json& s) { return s["hand"]["picked"] == 1; });
    window->key("bracketright");
    window->wait_for("no selection", [](const Json& s) {
        return s["scene"] == scene_after("cold-sphere") && s["hand"]["picked"] == 0;
    });
    EXPECT_EQ(window->state("message").get<std::string>().find("body"), std::string::npos);
}

}  // namespace
}  // namespace orrery::test
