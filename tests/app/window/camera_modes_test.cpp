// SPDX-License-Identifier: MIT
#include <cmath>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

std::vector<double> eye(const Json& s) {
    const double yaw = s["camera_yaw"], pitch = s["camera_pitch"], distance = s["camera_distance"];
    const auto target = s["camera_target"].get<std::vector<double>>();
    return {target[0] + distance * std::cos(pitch) * std::cos(yaw),
            target[1] + distance * std::cos(pitch) * std::sin(yaw), target[2] + distance * std::sin(pitch)};
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

void drag(const WindowDriver& window, int dx, int dy) {
    window.xdotool({"mousedown", "1"});
    window.wait_frames(2);
    window.xdotool({"mousemove_relative", "--", std::to_string(dx), std::to_string(dy)});
    window.wait_frames(12);  // the mouse rests before release, so that the camera does not keep turning
    window.xdotool({"mouseup", "1"});
}

/// Presses the mouse at a point of a widget, given as a fraction of its width.
void press_at(const WindowDriver& window, const std::string& label, double part, const std::string& button = "1") {
    const auto place = window.map()["widgets"][label].get<std::vector<double>>();
    window.xdotool({"mousemove", std::to_string(std::lround(place[0] + part * (place[2] - place[0]))),
                    std::to_string(std::lround((place[1] + place[3]) / 2))});
    window.wait_frames(2);
    window.xdotool({"mousedown", button});
    window.wait_frames(3);
}

class CameraModesWindow : public WindowTest {};

TEST_F(CameraModesWindow, FliesWithKeysAndLooksWithTheMouse) {
    auto window = open_paused({"plummer", "--bodies", "500"});
    window->xdotool({"mousemove", "640", "240"});
    window->key("v");
    window->wait_for("the mode", [](const Json& s) { return s["camera"]["mode"] == "fly"; });
    const Json before = window->state();
    window->xdotool({"keydown", "w"});
    window->wait_for("forward", [&](const Json& s) {
        return apart(eye(s), eye(before)) > 0.1 * before["camera_distance"].get<double>();
    });
    window->xdotool({"keyup", "w"});
    EXPECT_NEAR(window->state("camera_distance"), before["camera_distance"], 1e-9) << "the target moves along";
    EXPECT_LT(apart(eye(window->state()), window->state("camera_target")),
              1.001 * before["camera_distance"].get<double>());
    window->wait_for_camera();  // the flight eases out
    const Json rest = window->state();
    drag(*window, 120, 0);
    window->wait_for("another view", [&](const Json& s) { return s["camera_yaw"] != rest["camera_yaw"]; });
    EXPECT_LT(apart(eye(window->state()), eye(rest)), 1e-3 * rest["camera_distance"].get<double>())
        << "looking around moved the eye";
    window->key("s");  // flies back; takes no screenshot
    EXPECT_EQ(window->state("last_screenshot"), "");
    const double speed = window->state("camera")["fly_speed"];
    window->xdotool({"click", "4"});
    window->wait_for("faster", [&](const Json& s) { return s["camera"]["fly_speed"] > 1.2 * speed; });
    window->click("Camera");
    window->wait_for("the slider", [&](const Json&) { return window->shows("Fly speed"); });
    window->wait_frames(2);
    const auto place = window->map()["widgets"]["Fly speed"].get<std::vector<double>>();
    window->xdotool({"mousemove", std::to_string(int(place[0] + 20)), std::to_string(int(place[1] + 8))});
    window->wait_frames(2);
    window->xdotool({"click", "3"});
    window->wait_for("the default speed", [&](const Json& s) { return s["camera"]["fly_speed"] == 0.5; });
    window->click("Fly");
    window->wait_for("orbit", [](const Json& s) { return s["camera"]["mode"] == "orbit"; });
}

TEST_F(CameraModesWindow, FollowsASelectedBodyOrTheCentreOfMass) {
    auto window = open({"solar-system", "--clock", "15", "--max-fps", "1000"});
    window->click("Body");
    window->type_into("Pick number", "3");
    window->wait_for("the Earth",
                     [](const Json& s) { return s["hand"].contains("body") && s["hand"]["body"]["id"] == 3; });
    window->click("Follow it");
    window->wait_for("following it", [](const Json& s) {
        if (!s["hand"].contains("body")) return false;
        const auto target = s["camera_target"].get<std::vector<double>>();
        return s["camera"]["follow"] == "picked" && std::abs(std::hypot(target[0], target[1]) - 1) < 0.05;
    });
    const Json there = window->state();
    window->wait_for("another position", [&](const Json& s) {
        return apart(s["camera_target"].get<std::vector<double>>(), there["camera_target"].get<std::vector<double>>()) >
               0.2;
    });
    window->key("shift+F1");
    window->key("Escape");
    window->wait_for("nothing to follow", [](const Json& s) { return s["camera"]["follow"] == "nothing"; });
    window->key("f");
    window->wait_for("the Sun, nearly", [](const Json& s) {
        const auto target = s["camera_target"].get<std::vector<double>>();
        return s["camera"]["follow"] == "mass_centre" && std::hypot(target[0], target[1]) < 0.05;
    });
    window->click("Camera");
    window->choose("Follow", "nothing");
    window->wait_for("nothing", [](const Json& s) { return s["follow"] == false; });
    const auto from_the_sun = [](const Json& s) {
        const auto target = s["camera_target"].get<std::vector<double>>();
        return std::hypot(target[0], target[1]);
    };
    window->key("space");
    window->wait_for("the pause", [](const Json& s) { return s["paused"] == true; });
    window->key("F1");
    window->wait_for("where the Earth was", [&](const Json& s) { return from_the_sun(s) > 0.9; });
    window->choose("Follow", "centre of mass");
    window->wait_for("the Sun, while paused", [&](const Json& s) { return from_the_sun(s) < 0.05; });
    window->choose("Follow", "nothing");
    window->wait_for("nothing again", [](const Json& s) { return s["follow"] == false; });
    window->click("Follow");
    window->wait_for("the list", [&](const Json&) { return window->shows("centre of mass"); });
    EXPECT_TRUE(window->greyed("selection"));
}

TEST_F(CameraModesWindow, PathIsCreatedPlayedLoopedAndEdited) {
    auto window = open_paused({"plummer", "--bodies", "300", "--clock", "15", "--max-fps", "1000"});
    window->click("Camera");
    window->wait_for("no path", [&](const Json&) { return window->greyed("Play path"); });
    window->xdotool({"mousemove", "640", "240"});
    const Json first = window->state();
    window->key("k");
    window->wait_for("a key", [](const Json& s) { return s["camera"]["keys"] == Json{0.0}; });
    drag(*window, 80, 24);      // less than half a turn including inertia, so that the path takes the same way
    window->wait_for_camera();  // until the turn ends
    window->click("Add key");
    window->wait_for("two keys", [](const Json& s) { return s["camera"]["keys"] == Json::array({0.0, 2.0}); });
    const Json second = window->state();
    window->key("p");  // at the end of the path: plays from the start
    window->wait_for("it plays", [](const Json& s) { return s["camera"]["playing"] == true; });
    window->wait_for("a pose between the keys", [&](const Json& s) {
        const double a = first["camera_yaw"], b = second["camera_yaw"], now = s["camera_yaw"];
        return now < std::max(a, b) - 0.05 && now > std::min(a, b) + 0.05;
    });
    window->wait_for("the end",
                     [](const Json& s) { return s["camera"]["playing"] == false && s["camera"]["path_time"] == 2.0; });
    EXPECT_NEAR(window->state("camera_yaw"), second["camera_yaw"], 1e-6);
    window->click("Loop");
    press_at(*window, "Camera keys", 0.6);  // 3 of the 5 s shown, on the way back to the first key
    window->xdotool({"mouseup", "1"});
    window->wait_for("the closing segment", [](const Json& s) {
        return s["camera"]["playing"] == false && std::abs(s["camera"]["path_time"].get<double>() - 3) < 0.06;
    });
    window->click("Play path");
    window->wait_for("the end of the loop", [](const Json& s) { return s["camera"]["path_time"] > 3.0; });
    window->wait_for("the next loop", [](const Json& s) { return s["camera"]["path_time"] < 1.0; });
    window->click("Stop path");
    window->wait_for("the stop", [](const Json& s) { return s["camera"]["playing"] == false; });
    press_at(*window, "Camera keys", 0.02);  // the first key
    window->xdotool({"mouseup", "1"});
    window->wait_for("chosen", [](const Json& s) { return s["camera"]["key"] == 0; });
    EXPECT_NEAR(window->state("camera_yaw"), first["camera_yaw"], 1e-6) << "the camera must be at the key";
    window->type_into("Key time", "7.5");
    window->wait_for("moved", [](const Json& s) { return s["camera"]["keys"] == Json::array({2.0, 7.5}); });
    window->click("Delete key");
    window->wait_for("one left", [](const Json& s) { return s["camera"]["keys"] == Json{2.0}; });
}

TEST_F(CameraModesWindow, PathKeysAreDraggedAndTimeIsScrubbed) {
    auto window = open_paused({"plummer", "--bodies", "300"});
    window->click("Camera");
    window->key("k");
    window->key("k");
    window->wait_for("two keys", [](const Json& s) { return s["camera"]["keys"].size() == 2; });
    const auto place = window->map()["widgets"]["Camera keys"].get<std::vector<double>>();
    const double width = place[2] - place[0], pad = 7;
    const auto part = [&](double seconds) { return (pad + (width - 2 * pad) * seconds / 5) / width; };
    press_at(*window, "Camera keys", part(2));
    window->wait_for("chosen", [](const Json& s) { return s["camera"]["key"] == 1; });
    window->xdotool({"mousemove_relative", "--", std::to_string(std::lround((width - 2 * pad) / 5)), "0"});
    window->wait_for("at 3 s", [](const Json& s) { return std::abs(s["camera"]["keys"][1].get<double>() - 3) < 0.06; });
    window->xdotool({"mouseup", "1"});
    press_at(*window, "Camera keys", part(1.5));
    window->wait_for("the time",
                     [](const Json& s) { return std::abs(s["camera"]["path_time"].get<double>() - 1.5) < 0.06; });
    window->xdotool({"mouseup", "1"});
    EXPECT_TRUE(window->state("camera")["key"].is_null());
}

TEST_F(CameraModesWindow, FieldOfViewIsSetAndReset) {
    auto window = open_paused({"plummer", "--bodies", "300"});
    window->click("Camera");
    window->wait_for("the slider", [&](const Json&) { return window->shows("Field of view"); });
    press_at(*window, "Field of view", 0.9);
    window->xdotool({"mouseup", "1"});
    window->wait_for("wide", [](const Json& s) { return s["camera"]["fov"] > 1.5; });
    window->xdotool({"click", "3"});
    window->wait_for("as before",
                     [](const Json& s) { return std::abs(s["camera"]["fov"].get<double>() - 0.785398) < 1e-5; });
}

}  // namespace
}  // namespace orrery::test
