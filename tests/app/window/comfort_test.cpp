// SPDX-License-Identifier: MIT
// Keyboard navigation, text size, history, attract mode.
#include <fstream>
#include <sstream>

#include "core/engines/menu.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

class ComfortWindow : public WindowTest {};

TEST_F(ComfortWindow, PanelsAreNavigatedByKeyboard) {
    auto window = open({"plummer", "--bodies", "300", "--backend", "cpu"});
    window->key("n");
    window->wait_for("the keyboard", [](const Json& s) { return s["keyboard"] == true; });
    const auto press = [&](const char* key) {
        window->key(key);
        window->wait_frames(3);  // ImGui moves the focus once per frame
    };
    press("Right");  // from Scene to Look
    press("space");
    window->wait_for("the page of pictures", [](const Json& s) { return s["panel"] == "view"; });
    press("Left");
    press("space");
    window->wait_for("the page of the scene", [](const Json& s) { return s["panel"] == "scene"; });
    EXPECT_EQ(window->state("paused"), false) << "Space reached the simulation";
    press("Down");  // to the pages
    press("Down");  // to their second row
    press("Down");  // to the gallery
    press("Down");  // to the preset
    press("space");
    window->wait_for("the list", [&](const Json&) { return window->shows("Plummer sphere"); });
    window->key("Escape");
    window->wait_for("no list",
                     [&](const Json& s) { return !window->shows("Plummer sphere") && s["keyboard"] == true; });
    window->key("m");  // letters keep their shortcuts
    window->wait_for("a message",
                     [](const Json& s) { return s["message"].get<std::string>().find("map") != std::string::npos; });
    window->key("Escape");
    window->wait_for("the end", [](const Json& s) { return s["keyboard"] == false; });
    window->key("space");
    window->wait_for("the simulation pauses", [](const Json& s) { return s["paused"] == true; });
}

TEST_F(ComfortWindow, OneKeyLeavesOnlyThePictureAndRestoresThePanels) {
    auto window = open_paused({"plummer", "--bodies", "300", "--backend", "cpu"});
    window->wait_for("the figures", [&](const Json&) { return window->map()["places"].contains("figures"); });
    window->key("shift+i");
    window->wait_for("the picture", [&](const Json& s) { return s["clean"] == true && s["panels"] == false; });
    window->wait_frames(3);
    const Json map = window->map();
    EXPECT_EQ(map["widgets"], Json::object());
    EXPECT_EQ(map["disabled"], Json::object());
    for (const char* name : {"sidebar", "figures", "transport", "title"}) EXPECT_FALSE(map["places"].contains(name));
    window->key("g");
    window->wait_for("the gallery", [&](const Json&) { return window->shows("Search"); });
    window->key("Escape");
    window->key("shift+i");
    window->wait_for("the panels", [&](const Json& s) { return s["clean"] == false && window->shows("Step"); });
    window->wait_for("the figures again", [&](const Json&) { return window->map()["places"].contains("figures"); });
    window->key("shift+i");
    window->wait_for("the picture again", [](const Json& s) { return s["clean"] == true; });
    window->key("Tab");
    window->wait_for("the panels again", [](const Json& s) { return s["clean"] == false && s["panels"] == true; });
}

TEST_F(ComfortWindow, TextSizeChangesByKeys) {
    auto window = open_paused({"plummer", "--bodies", "300", "--backend", "cpu", "--fresh"});
    const auto width = [&] {
        const auto place = window->map()["widgets"]["Restart"].get<std::vector<double>>();
        return place[2] - place[0];
    };
    window->wait_frames(5);
    const double before = width();
    window->key("ctrl+plus");
    window->key("ctrl+plus");
    window->wait_for("larger", [&](const Json& s) { return s["text_scale"] > 1.2 && width() > 1.15 * before; });
    window->key("ctrl+minus");
    window->wait_for("smaller", [](const Json& s) { return s["text_scale"] < 1.15; });
    window->key("ctrl+0");
    window->wait_for("as before", [&](const Json& s) { return s["text_scale"] == 1 && width() == before; });
}

TEST_F(ComfortWindow, BoundIsMeasuredWhilePaused) {
    auto window = open({"plummer", "--bodies", "300", "--backend", "cpu", "--engine", "direct", "--max-fps", "100"});
    window->click("History");
    window->wait_for("a reason or a counter",
                     [](const Json& s) { return s["power"]["why_not"] != "" || s["power"]["counter"] != ""; });
    EXPECT_TRUE(window->state("power")["pairs_bound"].is_null());
    window->key("space");
    window->wait_for("paused", [](const Json& s) { return s["paused"].get<bool>(); });
    window->scroll_to("Measure the bound");
    window->click("Measure the bound");
    window->wait_for("a bound", [](const Json& s) { return s["power"]["pairs_bound"].is_number(); });
    EXPECT_GT(window->state("power")["pairs_bound"], 1e6);
}

TEST_F(ComfortWindow, HistoryIsRecordedAndExported) {
    auto window = open({"plummer", "--bodies", "300", "--backend", "cpu"});
    window->click("History");
    window->wait_for("samples", [](const Json& s) { return s["history"] >= 8; });
    window->click("Export CSV");
    window->wait_for("a file", [](const Json& s) { return s["last_export"] != ""; });
    std::ifstream file{window->state("last_export").get<std::string>()};
    std::string head, row, field;
    std::getline(file, head);
    EXPECT_TRUE(head.starts_with("wall_seconds,scene_time,scene_serial,frame_ms,ui_cpu_ms,force_ms")) << head;
    int rows = 0;
    double last = -1;
    while (std::getline(file, row)) {
        std::istringstream fields{row};
        std::getline(fields, field, ',');
        EXPECT_GT(std::stod(field), last);
        last = std::stod(field);
        ++rows;
    }
    EXPECT_GE(rows, 8);
    EXPECT_GT(window->state("ui_cpu_ms"), 0);
    window->click("Export SVG");
    window->wait_for("a picture", [](const Json& s) { return s["last_export"].get<std::string>().ends_with(".svg"); });
    std::ifstream picture{window->state("last_export").get<std::string>()};
    const std::string svg{std::istreambuf_iterator<char>{picture}, {}};
    for (const char* part : {"Plummer sphere", "longest frame", "one force evaluation", "<polyline", "</svg>"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST_F(ComfortWindow, AttractModeEndsAtAnyInput) {
    auto window = open({"plummer", "--bodies", "300", "--backend", "cpu", "--attract"});
    window->wait_for("it runs", [&](const Json& s) { return s["attract"] == true && s["panels"] == false; });
    const double yaw = window->state("camera_yaw");
    window->wait_for("the camera turns", [&](const Json& s) { return s["camera_yaw"] != yaw; });
    window->key("a");
    window->wait_for("the end", [](const Json& s) { return s["attract"] == false && s["panels"] == true; });
    window->key("5");  // with the scenes' galaxies, one evaluation of triplets would take hours
    window->wait_for("triplets", [](const Json& s) { return s["engine"] == "triplet"; });
    window->click("Info");
    window->click("Attract mode");
    window->wait_for("again", [](const Json& s) {
        return s["attract"] == true && s["engine"] != "triplet" && s["backend"] == name(best_backend());
    });
    window->xdotool({"click", "3"});
    window->wait_for("the end", [](const Json& s) { return s["attract"] == false; });
}

}  // namespace
}  // namespace orrery::test
