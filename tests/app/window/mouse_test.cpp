// SPDX-License-Identifier: MIT
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

void drag(const WindowDriver& window, const std::string& button, const std::string& dx, const std::string& dy) {
    window.xdotool({"mousedown", button});
    window.wait_frames(2);
    window.xdotool({"mousemove_relative", "--", dx, dy});
    window.wait_frames(3);
    window.xdotool({"mouseup", button});
}

class MouseWindow : public WindowTest {};

TEST_F(MouseWindow, DragWheelAndPanMoveTheCamera) {
    auto window = open_paused({"plummer", "--bodies", "500"});
    window->xdotool({"mousemove", "640", "320"});
    window->wait_frames(2);
    const Json before = window->state();
    drag(*window, "1", "120", "60");
    window->wait_for("turned", [&](const Json& s) {
        return s["camera_yaw"] < before["camera_yaw"].get<double>() - 0.1 &&
               s["camera_pitch"] > before["camera_pitch"].get<double>() + 0.05;
    });
    EXPECT_EQ(window->state("camera_target"), before["camera_target"]);
    window->xdotool({"click", "--repeat", "3", "4"});
    window->wait_for(
        "nearer", [&](const Json& s) { return s["camera_distance"] < before["camera_distance"].get<double>() * 0.8; });
    drag(*window, "2", "100", "0");
    window->wait_for("moved", [&](const Json& s) { return s["camera_target"] != before["camera_target"]; });
    window->key("c");
    window->wait_for("fitted again", [&](const Json& s) {
        const double ratio = s["camera_distance"].get<double>() / before["camera_distance"].get<double>();
        return ratio > 0.9 && ratio < 1.1;
    });
}

TEST_F(MouseWindow, DragFromAPanelDoesNotMoveTheCamera) {
    auto window = open_paused({"plummer", "--bodies", "500"});
    window->click("View");
    window->xdotool({"mousemove", "180", "120"});
    window->wait_frames(2);
    const Json before = window->state();
    drag(*window, "1", "300", "60");  // starts on the panel, ends over the view
    EXPECT_EQ(window->state("camera_yaw"), before["camera_yaw"]);
}

TEST_F(MouseWindow, RightClickResetsASlider) {
    auto window = open_paused({"plummer", "--bodies", "500"});
    window->click("View");
    const double standard = window->state("exposure");
    window->wait_for("the slider", [&](const Json&) { return window->shows("Exposure"); });
    window->wait_frames(2);
    const auto place = window->map()["widgets"]["Exposure"].get<std::vector<double>>();
    window->xdotool({"mousemove", std::to_string(static_cast<int>(place[2] - 8)),
                     std::to_string(static_cast<int>((place[1] + place[3]) / 2))});
    window->wait_frames(2);
    window->xdotool({"click", "1"});
    window->wait_for("brighter", [&](const Json& s) { return s["exposure"] > standard + 2; });
    window->xdotool({"click", "3"});
    window->wait_for("as before", [&](const Json& s) { return s["exposure"] == standard; });
}

TEST_F(MouseWindow, CtrlClickTypesIntoASlider) {
    auto window = open_paused({"plummer", "--bodies", "500"});
    window->click("View");
    window->xdotool({"keydown", "ctrl"});
    window->wait_frames(2);
    window->click("Exposure");
    window->xdotool({"keyup", "ctrl"});
    window->type("2.5");
    window->wait_frames(2);
    window->key("Return");
    window->wait_for("2.5 EV", [](const Json& s) { return s["exposure"] == 2.5; });
}

}  // namespace
}  // namespace orrery::test
