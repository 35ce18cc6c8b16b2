// SPDX-License-Identifier: MIT
// Control of time: steps forward and backward, running backward, and rewinding.
#include <cmath>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

/// Position of body 7 after a given step.
Json body_at(const WindowDriver& window, int step) {
    window.wait_for("that step", [&](const Json& s) { return s["step"] == step && s["hand"]["step"] == step; });
    return window.state("hand")["body"]["position"];
}

void pick_seven(WindowDriver& window) {
    window.click("Body");
    window.type_into("Pick number", "7");
    window.wait_for("picked", [](const Json& s) { return s["hand"].contains("body"); });
}

class TimeWindow : public WindowTest {};

TEST_F(TimeWindow, StepsBothWaysReturnToTheStart) {
    auto window = open({"plummer", "--bodies", "300", "--precision", "double"});
    pick_seven(*window);
    pause(*window);
    const int step = window->state("step");
    const double time = window->state("sim_time");
    const Json start = body_at(*window, step);
    for (int i = 1; i <= 4; ++i) {
        window->key("period");
        window->wait_for("forward", [&](const Json& s) { return s["step"] == step + i; });
    }
    EXPECT_NE(body_at(*window, step + 4), start);
    for (int i = 3; i >= 0; --i) {
        window->key("comma");
        window->wait_for("back", [&](const Json& s) { return s["step"] == step + i; });
    }
    const Json back = body_at(*window, step);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(back[k].get<double>(), start[k].get<double>(), 1e-12);
    EXPECT_NEAR(window->state("sim_time"), time, 1e-12);
    window->click("Step back");
    window->wait_for("an earlier step", [&](const Json& s) { return s["step"] == step - 1; });
}

TEST_F(TimeWindow, TimeRunsBackward) {
    auto window = open({"figure-eight"});
    window->wait_for("some steps", [](const Json& s) { return s["step"] > 10; });
    window->key("z");
    window->wait_for("a negative time", [](const Json& s) { return s["step"] < 0 && s["sim_time"] < 0; });
    EXPECT_TRUE(window->state("reversed"));
    window->click("Setup");
    window->click("Backward");
    window->wait_for("forward again", [](const Json& s) { return s["reversed"] == false && s["step"] > 0; });
}

TEST_F(TimeWindow, RewindingRepeatsTheSameSteps) {
    auto window = open({"plummer", "--bodies", "300"});
    pick_seven(*window);
    window->wait_for("a past", [](const Json& s) { return s["timeline"]["steps"].size() >= 4; });
    window->key("Left");  // pauses at the second last snapshot
    window->wait_for("paused", [](const Json& s) { return s["paused"] == true; });
    window->key("Right");
    window->key("Right");
    const int end = window->state("timeline")["steps"].back();
    const Json at_end = body_at(*window, end);
    window->key("Left");
    window->key("Left");
    const int step = window->state("timeline")["steps"][window->state("timeline")["steps"].size() - 3];
    EXPECT_NE(body_at(*window, step), at_end);
    for (int i = step; i < end; ++i) {
        window->key("period");
        window->wait_for("a step", [&](const Json& s) { return s["step"] == i + 1; });
    }
    EXPECT_EQ(body_at(*window, end), at_end) << "must be bitwise equal";
}

TEST_F(TimeWindow, ScrubbingContinuesFromThere) {
    auto window = open({"plummer", "--bodies", "300"});
    window->wait_for("a past", [](const Json& s) { return s["timeline"]["steps"].size() >= 10; });
    const auto bar = window->map()["widgets"]["Timeline"].get<std::vector<double>>();
    const std::string y = std::to_string(std::lround((bar[1] + bar[3]) / 2));
    window->xdotool({"mousemove", std::to_string(std::lround(bar[0] + 0.5 * (bar[2] - bar[0]))), y});
    window->wait_frames(2);
    window->xdotool({"mousedown", "1"});
    window->wait_for("a held slider", [](const Json& s) { return s["timeline"]["held"] == true; });
    window->xdotool({"mousemove", std::to_string(std::lround(bar[0])), y});
    window->wait_for("the start", [](const Json& s) { return s["step"] == 0; });
    window->wait_frames(10);
    EXPECT_EQ(window->state("step"), 0) << "moved while held";
    EXPECT_GT(window->state("timeline")["steps"].back(), 20) << "later snapshots must be kept until a step is taken";
    window->xdotool({"mouseup", "1"});
    window->wait_for("the run to continue",
                     [](const Json& s) { return s["timeline"]["held"] == false && s["step"] > 0; });
    EXPECT_FALSE(window->state("paused"));
    window->wait_for("a new history", [](const Json& s) {
        return s["timeline"]["steps"].back() <= s["step"].get<int>() && s["step"] > 5;
    });
}

TEST_F(TimeWindow, RewindMemoryIsAdjustable) {
    auto window = open({"plummer", "--bodies", "2000"});
    window->click("Setup");
    window->click("Advanced");
    window->wait_for("the slider", [&](const Json&) { return window->shows("Rewind memory"); });
    window->wait_frames(2);
    const auto place = window->map()["widgets"]["Rewind memory"].get<std::vector<double>>();
    const std::string y = std::to_string(std::lround((place[1] + place[3]) / 2));
    window->xdotool({"mousemove", std::to_string(std::lround(place[0] + 2)), y});
    window->wait_frames(2);
    window->xdotool({"click", "1"});
    window->wait_for("no history", [](const Json& s) {
        return s["timeline"]["bytes"] == 0 &&
               s["timeline"]["note"].get<std::string>().find("rewinding is not possible") == 0;
    });
    window->xdotool({"click", "3"});
    window->wait_for("as before", [](const Json& s) {
        return s["timeline"]["budget"] == 256 * 1048576 && s["timeline"]["steps"].size() > 1;
    });
}

}  // namespace
}  // namespace orrery::test
