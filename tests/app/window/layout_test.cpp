// SPDX-License-Identifier: MIT
// Where things are: pages at every size, the sidebar closed, the bodies in the middle of what is free.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;
using Place = std::array<double, 4>;  // left, top, right, bottom

std::map<std::string, Place> places(const WindowDriver& window) {
    std::map<std::string, Place> all;
    const Json map = window.map();
    for (const char* kind : {"widgets", "disabled"})
        for (const auto& [label, place] : map[kind].items()) all[label] = place.get<Place>();
    return all;
}

double overlap(const Place& a, const Place& b) {
    return std::max(0.0, std::min(a[2], b[2]) - std::max(a[0], b[0])) *
           std::max(0.0, std::min(a[3], b[3]) - std::max(a[1], b[1]));
}

void expect_tidy(const WindowDriver& window, const std::string& page, double width, double height) {
    const auto all = places(window);
    for (auto one = all.begin(); one != all.end(); ++one) {
        const auto& [label, place] = *one;
        EXPECT_TRUE(place[0] >= 0 && place[1] >= 0 && place[2] <= width && place[3] <= height)
            << page << ": " << label << " leaves the window";
        for (auto other = std::next(one); other != all.end(); ++other)
            EXPECT_LE(overlap(place, other->second), 1) << page << ": " << label << " and " << other->first;
    }
    for (const char* label : {"Scene", "Look", "Measure", "Compute", "Step", "Restart", "Record"})
        EXPECT_TRUE(all.contains(label)) << page << " hides " << label;
}

TEST_F(WindowTest, EveryPageIsTidyAtEverySize) {
    struct Size {
        int width, height, larger;  // steps of text size
    };
    for (const auto& [width, height, larger] : {Size{800, 600, 0}, Size{1280, 720, 0}, Size{1280, 800, 3}}) {
        auto window = open_paused({"plummer", "--bodies", "300", "--backend", "cpu", "--engine", "tree", "--width",
                                   std::to_string(width), "--height", std::to_string(height)});
        for (int i = 0; i < larger; ++i) window->key("ctrl+plus");
        const Json pages = window->map()["pages"];
        for (const auto& [page, group] : pages.items()) {
            window->click(page);
            window->wait_frames(4);  // a window of ImGui grows to its contents within three
            expect_tidy(*window, page + " at " + std::to_string(width), width, height);
        }
    }
}

TEST_F(WindowTest, AGroupOpensItsLastPageAndClosesTheSidebar) {
    auto window = open_paused({"plummer", "--bodies", "300", "--backend", "cpu"});
    const auto wait_for_panel = [&](const char* id) {
        window->wait_for(id, [&](const Json& s) { return s["panel"] == id; });
    };
    window->click("Maps");
    wait_for_panel("maps");
    window->click("Look");
    wait_for_panel("view");
    window->click("Compute");
    wait_for_panel("maps");
    window->click("Compute");
    wait_for_panel("");
    EXPECT_FALSE(window->shows("Launch grid"));
    window->click("Compute");
    wait_for_panel("maps");
}

/// The body that the camera follows is in the middle of what sidebar and bar leave free, and of all that there is where
/// they are hidden.
TEST_F(WindowTest, TheSubjectIsInTheMiddleOfWhatIsFree) {
    auto window = open({"plummer", "--bodies", "300", "--backend", "cpu", "--width", "1000", "--height", "600"});
    window->click("Body");
    window->type_into("Pick number", "7");
    window->wait_for("picked", [](const Json& s) { return s["hand"]["picked"] == 1; });
    window->click("Follow it");
    const auto follows = [&](double x, double y) {
        window->wait_for("the body in the middle", [&](const Json& s) {
            const Json markers = s["hand"]["markers"];
            return markers.size() == 1 && std::abs(markers[0][0].get<double>() - x) < 4 &&
                   std::abs(markers[0][1].get<double>() - y) < 4;
        });
    };
    const double sidebar = places(*window)["Compute"][2] + 10, bar = places(*window)["Pause"][1] - 8;
    follows((sidebar + 1000) / 2, bar / 2);
    window->key("Tab");
    follows(500, 300);
}

}  // namespace
}  // namespace orrery::test
