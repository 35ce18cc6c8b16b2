// SPDX-License-Identifier: MIT
#include "core/maps/maps.hpp"

#include <cmath>

#include "core/engines/choices.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

/// Points at a cell of one of the two drawings and waits for its description.
void expect_hover_text(const WindowDriver& window, const std::string& drawing, double column, double line,
                       double columns, double lines, const std::string& text) {
    const auto place = window.map().at("widgets").at(drawing).get<std::vector<double>>();
    const auto at = [](double low, double high, double share) {
        return std::to_string(static_cast<int>(low + (high - low) * share));
    };
    window.xdotool(
        {"mousemove", at(place[0], place[2], (column + 0.5) / columns), at(place[1], place[3], (line + 0.5) / lines)});
    window.wait_for(text, [&](const Json& s) { return s["map_hover"] == text; });
}

class MapsWindow : public WindowTest {};

TEST_F(MapsWindow, AllMapsAndRootsCanBeSwitchedWhileRunning) {
    auto window = open({"plummer", "--bodies", "1000", "--engine", "half"});
    window->click("Maps");
    window->wait_for("the first energy", [](const Json& s) { return s["energy_drift"].is_number(); });
    const Json first = window->state();
    for (const MapChoice& choice : every_map_and_root()) {
        const Json before = window->state();
        if (before["map"] != choice.map) window->choose("Map", std::string{map(choice.map).title});
        if (!choice.root.empty() && window->state("root") != choice.root)
            window->choose("Root", std::string{root(choice.root).title});
        window->wait_for("the map and steps by it", [&](const Json& s) {
            return s["map"] == choice.map && s["root"] == choice.root && s["step"] > before["step"] &&
                   s["map_shown"]["map"] == choice.map;
        });
        EXPECT_EQ(window->greyed("Root"), choice.root.empty());
        const Json now = window->state();
        // No step is lost or taken twice: the time is the number of steps times dt.
        const double steps = now["step"].get<double>(), dt = now["dt"].get<double>();
        EXPECT_NEAR(now["sim_time"].get<double>(), steps * dt, 1e-9 * steps) << choice.map << ' ' << choice.root;
        const auto side = now["tile_size"].get<std::uint32_t>(), rows = (1000 + side - 1) / side;
        const MapPlan expected = plan(choice.map, choice.root.empty() ? "sqrt" : choice.root, rows);
        EXPECT_EQ(now["map_shown"]["rows"], rows);
        EXPECT_EQ(now["map_shown"]["launched"], expected.launched()) << choice.map;
        EXPECT_EQ(now["map_shown"]["useful"], expected.useful()) << choice.map;
        EXPECT_EQ(now["map_shown"]["wasted"], expected.wasted()) << choice.map;
    }
    const double drift = window->state("energy_drift");
    window->wait_for("another energy", [&](const Json& s) { return s["energy_drift"] != drift; });
    EXPECT_LT(std::abs(window->state("energy_drift").get<double>()), 1e-3);
    EXPECT_LT(window->state("momentum_drift").get<double>(), 1e-5);
    EXPECT_LT(window->state("net_force").get<double>(), 1e-6);
    EXPECT_EQ(window->state("scene_serial"), first["scene_serial"]) << "the scene was restarted";
}

TEST_F(MapsWindow, HoverDescribesBlockAndTile) {
    auto window = open_paused({"plummer", "--bodies", "500", "--engine", "half", "--map", "bb", "--fresh"});
    window->click("Maps");
    constexpr double m = 16;  // 500 bodies in tiles of 32, once the engine has reported its tiles
    window->wait_for("the picture",
                     [&](const Json& s) { return window->shows("Triangle") && s["map_shown"]["rows"] == m; });
    window->wait_frames(3);
    expect_hover_text(*window, "Launch grid", 3, 5, m, m, "block (3, 5) → tile (5, 3)");
    expect_hover_text(*window, "Launch grid", 5, 3, m, m, "block (5, 3) → no tile: wasted");
    expect_hover_text(*window, "Triangle", 2, 6, m, m, "block (2, 6) → tile (6, 2)");
    expect_hover_text(*window, "Triangle", 14, 1, m, m, "");  // outside the triangle
    window->choose("Map", "Rectangular box (rb)");
    window->wait_for("8 × 17 blocks", [](const Json& s) { return s["map_shown"]["lines"] == 17; });
    window->wait_frames(3);
    expect_hover_text(*window, "Launch grid", 7, 0, 8, 17, "block (7, 0) → tile (15, 8)");
    expect_hover_text(*window, "Triangle", 8, 15, m, m, "block (7, 0) → tile (15, 8)");
}

/// Beyond its range the engine keeps its map, and the page shows the errors of the published one.
TEST_F(MapsWindow, PublishedMapIsUsedWithinItsRangeAndShownBeyond) {
    auto window = open_paused(
        {"plummer", "--bodies", "52000", "--engine", "half", "--backend", "cpu", "--rows", "32", "--root", "newton"});
    window->click("Maps");
    window->wait_for("the picture", [](const Json& s) { return s["map_shown"]["rows"] == 1625; });
    window->choose("Map", "λ as published (lambda-published)");
    window->wait_for("its wrong rows", [](const Json& s) {
        return s["map_shown"]["map"] == "lambda-published" && s["map_shown"]["wrong_from"] == 1622;
    });
    EXPECT_NE(window->state()["map_shown"]["refused"].get<std::string>().find("1622 rows"), std::string::npos);
    EXPECT_EQ(window->state("map"), "lambda") << "the engine must refuse it";
    window->click("Use lambda");
    window->wait_for("the exact one", [](const Json& s) {
        return s["map_shown"]["map"] == "lambda" && s["map_shown"]["refused"] == "" && s["map"] == "lambda";
    });
    window->choose("Root", "Library root, X (sqrt)");
    window->wait_for("X", [](const Json& s) { return s["root"] == "sqrt"; });
    window->choose("Map", "λ as published (lambda-published)");
    window->wait_for("the engine takes it", [](const Json& s) { return s["map"] == "lambda-published"; });
    EXPECT_TRUE(window->state()["map_shown"]["wrong_from"].is_null());
}

TEST_F(MapsWindow, MapOfTriplesIsShownForTriplet) {
    auto window = open({"plummer", "--bodies", "200", "--engine", "triplet", "--backend", "cpu", "--rows", "16"});
    window->wait_for("a step, so that the engine reports its tiles", [](const Json& s) { return s["step"] > 0; });
    window->key("space");
    window->wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
    window->click("Maps");
    window->wait_for("its map", [](const Json& s) {
        return s["map_shown"]["map"] == "lambda3" && s["map_shown"]["layers"] == 13 && s["map_shown"]["drawn"] == 12;
    });
}

TEST_F(MapsWindow, DrawingOfMillionsOfBlocksIsReduced) {
    auto window = open_paused({"plummer", "--bodies", "60000", "--engine", "half", "--rows", "32"});
    window->click("Maps");
    window->wait_for("the picture", [](const Json& s) { return s["map_shown"]["rows"] == 1875; });
    EXPECT_EQ(window->state()["map_shown"]["launched"], 1875u * 1876 / 2);
    EXPECT_EQ(window->state()["map_shown"]["drawn"], 59);
    window->wait_for("a rate", [](const Json& s) { return s["ui_fps"].is_number(); });
    RecordProperty("ui_fps", window->state("ui_fps").get<int>());
}

TEST_F(MapsWindow, MapIsShownForEnginesWithoutAMap) {
    auto window = open({"plummer", "--bodies", "500", "--engine", "direct", "--backend", "cpu"});
    window->click("Maps");
    window->choose("Map", "Hadouken, by bits (hadouken)");
    window->wait_for("the picture",
                     [](const Json& s) { return s["map_shown"]["map"] == "hadouken" && !s["map_shown"]["walked"]; });
    EXPECT_EQ(window->state("map"), "");
    window->click("Compute with half");
    window->wait_for("half", [](const Json& s) {
        return s["engine"] == "half" && s["map"] == "hadouken" && s["map_shown"]["walked"] == true;
    });
    EXPECT_FALSE(window->shows("Compute with half"));
}

TEST_F(MapsWindow, MapChosenUnderAutoSelectsHalf) {
    auto window = open({"plummer", "--bodies", "4000", "--engine", "auto", "--backend", "cpu"});
    window->click("Maps");
    window->wait_for("the choice of auto", [](const Json& s) { return s["tried"].size() == 1; });
    if (!window->state()["map_shown"]["walked"]) GTEST_SKIP() << "auto chose an engine without a map";
    EXPECT_EQ(window->state("map"), "");
    window->choose("Map", "Recursive partition (rec)");
    window->wait_for("half", [](const Json& s) { return s["engine"] == "half" && s["map"] == "rec"; });
}

TEST_F(MapsWindow, SpeedsOfTriedEnginesStayUntilTheNumberOfBodiesChanges) {
    auto window = open({"plummer", "--bodies", "500", "--engine", "half", "--backend", "cpu"});
    window->click("Maps");
    window->wait_for("a bar", [](const Json& s) { return s["tried"].size() == 1; });
    EXPECT_EQ(window->state()["tried"][0]["name"], "half lambda sqrt ρ 32, cpu single");
    window->choose("Map", "Rectangular box (rb)");
    window->wait_for("a second bar", [](const Json& s) { return s["tried"].size() == 2 && s["tried"][1]["now"]; });
    const Json both = window->state("tried");
    EXPECT_EQ(both[1]["name"], "half rb ρ 32, cpu single");
    EXPECT_FALSE(both[0]["now"]);
    EXPECT_GT(both[0]["pairs_per_second"], 0);
    window->click("Clear");
    window->wait_for("only the current one", [](const Json& s) { return s["tried"].size() == 1; });
    EXPECT_EQ(window->state()["tried"][0]["name"], both[1]["name"]);
    window->choose("Map", "Look-up table (lut)");
    window->wait_for("two", [](const Json& s) { return s["tried"].size() == 2; });
    window->click("Setup");
    window->type_into("Bodies", "600");
    window->wait_for("one bar, 600 bodies", [](const Json& s) { return s["bodies"] == 600 && s["tried"].size() == 1; });
}

TEST_F(MapsWindow, HalfMatrixOptionsTakeEffect) {
    auto window = open({"plummer", "--bodies", "500", "--engine", "half", "--backend", "cpu"});
    ASSERT_EQ(window->state("equal_masses"), true);
    const int step = window->state("step");
    window->click("Equal masses");
    window->wait_for("any masses", [&](const Json& s) { return s["equal_masses"] == false && s["step"] > step; });
    window->click("Equal masses");
    window->wait_for("equal masses", [](const Json& s) { return s["equal_masses"] == true; });
    EXPECT_FALSE(window->shows("Deterministic")) << "the engine is always deterministic";
    window->choose("Tile size", "64");
    window->wait_for("ρ 64", [](const Json& s) { return s["tile_size"] == 64; });
}

}  // namespace
}  // namespace orrery::test
