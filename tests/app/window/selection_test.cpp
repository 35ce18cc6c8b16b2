// SPDX-License-Identifier: MIT
// The page Selection: filters typed in the window, selections by lines in plots and in the picture.
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

/// Presses at one position and releases at another, as shares of a widget's size.
void drag_over(const WindowDriver& window, const std::string& label, double from, double to,
               const char* hold = nullptr) {
    window.wait_for(label, [&](const Json&) { return window.shows(label); });
    const auto box = window.map()["widgets"].at(label).get<std::vector<double>>();
    const auto move = [&](double part) {
        window.xdotool({"mousemove", std::to_string(std::lround(box[0] + part * (box[2] - box[0]))),
                        std::to_string(std::lround(box[1] + part * (box[3] - box[1])))});
        window.wait_frames(2);
    };
    if (hold) window.xdotool({"keydown", hold});
    move(from);
    window.xdotool({"mousedown", "1"});
    window.wait_frames(2);
    move((from + to) / 2), move(to);
    window.xdotool({"mouseup", "1"});
    window.wait_frames(2);
    if (hold) window.xdotool({"keyup", hold});
}

class SelectionWindow : public WindowTest {
protected:
    static int selected(const WindowDriver& window) { return window.state("selection")["selected"]; }
};

TEST_F(SelectionWindow, FilterIsTypedAndShownInEveryWay) {
    auto window = open_paused({"plummer", "--bodies", "600"});
    window->click("Selection");
    window->type_into("Condition", "x > 0 & r < 1");
    window->wait_for("the filter", [](const Json& s) {
        return s["selection"]["filter"] == "x > 0 & r < 1" && s["selection"]["satisfy"] > 50 &&
               s["selection"]["drawn"] == s["selection"]["satisfy"];
    });
    const int satisfy = window->state("selection")["satisfy"];
    window->choose("Filter shows", "Hidden");
    window->wait_for("the others", [&](const Json& s) { return s["selection"]["drawn"] == 600 - satisfy; });
    for (const char* way : {"Bright", "Dimmed"}) {
        window->choose("Filter shows", way);
        window->wait_for(way, [&](const Json& s) { return s["selection"]["drawn"] == 600; });
    }
    window->click("Select them");
    window->wait_for("them", [&](const Json& s) { return s["selection"]["selected"] == satisfy; });
    EXPECT_EQ(window->state("panel"), "selection");
    window->click("Invert");
    window->wait_for("the others", [&](const Json& s) { return s["selection"]["selected"] == 600 - satisfy; });
    window->type_into("Condition", "T > 1");
    window->wait_for("a refusal", [](const Json& s) {
        return s["message"].get<std::string>().find("T") != std::string::npos &&
               s["selection"]["filter"] == "x > 0 & r < 1";
    });
    window->click("No filter");
    window->wait_for("no filter", [](const Json& s) { return s["selection"]["filter"] == ""; });
    EXPECT_EQ(window->map()["without_tip"], Json::array());
}

TEST_F(SelectionWindow, BoxInAHistogramSelectsInThePictureAndIsCombined) {
    auto window = open_paused({"plummer", "--bodies", "600", "--backend", "cpu"});
    window->click("Plots");
    window->choose("Plot", "Histogram");
    window->wait_for("the plot",
                     [](const Json& s) { return s["plot"]["kind"] == "histogram" && s["plot"]["rows"] > 0; });
    drag_over(*window, "Histogram of r", 0.2, 0.4);
    window->wait_for("a selection", [](const Json& s) { return s["selection"]["selected"] > 0; });
    const int first = selected(*window);
    EXPECT_LT(first, 600);
    EXPECT_EQ(window->state("panel"), "plots") << "a drag neither opens another page nor shows the plot large";
    window->click("Selection");
    window->choose("Selection shown", "Alone");
    window->wait_for("only them", [&](const Json& s) { return s["selection"]["drawn"] == first; });
    window->type_into("Store as", "inner");
    window->wait_for("the name", [&](const Json& s) { return s["selection"]["sets"].value("inner", 0) == first; });
    window->click("Extend");
    window->click("Plots");
    drag_over(*window, "Histogram of r", 0.45, 0.9);
    window->wait_for("more", [&](const Json& s) { return s["selection"]["selected"] > first; });
    const int both = selected(*window);
    window->click("Selection");
    window->type_into("Store as", "all");
    window->wait_for("the second name", [&](const Json& s) { return s["selection"]["sets"].value("all", 0) == both; });
    window->type_into("Combine", "all & !inner");
    window->wait_for("the difference", [&](const Json& s) { return s["selection"]["selected"] == both - first; });
    window->wait_for("its picture", [&](const Json& s) { return s["selection"]["drawn"] == both - first; });
    window->click("Ids");
    window->wait_for("the file", [](const Json& s) { return s["last_export"] != ""; });
    std::ifstream file{window->state("last_export").get<std::string>()};
    int lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    EXPECT_EQ(lines, both - first);
}

TEST_F(SelectionWindow, LassoSelectsInAPlotOfTwoQuantities) {
    auto window = open_paused({"plummer", "--bodies", "600", "--backend", "cpu"});
    window->click("Plots");
    window->choose("Plot", "Phase space r, v_r");
    window->wait_for("the plot", [](const Json& s) { return s["plot"]["kind"] == "phase-r-vr"; });
    drag_over(*window, "v_r over r", 0.15, 0.9);
    window->wait_for("a box", [](const Json& s) { return s["selection"]["selected"] > 0; });
    const int boxed = selected(*window);
    window->key("Escape");
    window->wait_for("none", [](const Json& s) { return s["selection"]["selected"] == 0; });
    drag_over(*window, "v_r over r", 0.15, 0.9, "shift");
    window->wait_frames(4);
    EXPECT_LT(selected(*window), boxed) << "a straight lasso encloses almost nothing";
}

}  // namespace
}  // namespace orrery::test
