// SPDX-License-Identifier: MIT
// The laboratory: starting, watching, cancelling, exporting.
#include <png.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

std::string content(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// Clicks an export button and returns the path of the new file.
std::string exported(WindowDriver& window, const std::string& button) {
    const std::string before = window.state()["lab"]["export"];
    window.click(button);
    window.wait_for("a file", [&](const Json& s) { return s["lab"]["export"] != before; });
    return window.state()["lab"]["export"];
}

/// Rows of a CSV text without quotes, split at commas.
std::vector<std::vector<std::string>> cells(const std::string& text) {
    std::vector<std::vector<std::string>> all;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string>& row = all.emplace_back();
        std::istringstream parts{line + ','};
        for (std::string cell; std::getline(parts, cell, ',');) row.push_back(cell);
    }
    return all;
}

/// Colours of a PNG file, read independently of Orrery's reader; throws if it cannot be decoded.
std::set<std::uint32_t> colors(const std::string& path, int& width, int& height) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path.c_str())) throw std::runtime_error{path + ": not a PNG file"};
    image.format = PNG_FORMAT_RGBA;
    std::vector<std::uint32_t> pixels(PNG_IMAGE_SIZE(image) / 4);
    if (!png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr)) throw std::runtime_error{image.message};
    width = static_cast<int>(image.width), height = static_cast<int>(image.height);
    return {pixels.begin(), pixels.end()};
}

/// Chooses a run of about a second: four measurements for each N.
void choose_short_run(WindowDriver& window) {
    window.key("l");
    window.click("λ: row by square root");
    window.click("Rectangular box");
    window.click("Recursive, a launch per level");
    window.click("Library root, X");
    window.click("8 × 8");
    window.type_into("N to", "3072");
    window.type_into("N step", "1024");
    window.wait_for("the choices", [](const Json& s) {
        const Json& chosen = s["lab"]["chosen"];
        return chosen["maps"] == Json{"lambda", "rb", "rec-launches"} && chosen["roots"] == Json{"sqrt"} &&
               chosen["rho"] == 8 && chosen["from"] == 1024 && chosen["to"] == 3072 && chosen["step"] == 1024;
    });
}

class LabWindow : public WindowTest {};

TEST_F(LabWindow, MeasuresAndExports) {
    auto window = open({"plummer", "--bodies", "500", "--backend", "cpu", "--fresh"});
    choose_short_run(*window);
    EXPECT_TRUE(window->greyed("Export CSV"));
    window->click("Start");
    std::set<int> seen;  // rows arrive one by one while the bodies are paused
    bool moved = false;
    window->wait_for("the end", [&](const Json& s) {
        seen.insert(s["lab"]["rows"].get<int>());
        moved |= s["lab"]["running"] == true && s["lab"]["rows"] > 2 && s["paused"] == false;
        return s["lab"]["rows"] == 12 && s["lab"]["running"] == false;
    });
    EXPECT_FALSE(moved);
    EXPECT_GE(seen.size(), 3u) << "rows must arrive one by one";
    const Json lab = window->state("lab");
    EXPECT_EQ(lab["experiment"], "dummy");
    EXPECT_EQ(lab["done"], 12);
    EXPECT_EQ(lab["total"], 12);
    EXPECT_EQ(lab["bars"], 4) << "bb and three maps";
    EXPECT_EQ(lab["wrong"], 0);
    EXPECT_EQ(lab["panels"], 1);
    EXPECT_NE(lab["picture"], "");
    const int step = window->state("step");
    window->wait_for("the bodies to continue", [&](const Json& s) { return s["paused"] == false && s["step"] > step; });

    const auto rows = cells(content(exported(*window, "Export CSV")));
    ASSERT_EQ(rows.size(), 13u);
    const auto column = [&](const std::string& name) {
        const auto found = std::ranges::find(rows[0], name);
        EXPECT_NE(found, rows[0].end()) << name;
        return static_cast<std::size_t>(found - rows[0].begin());
    };
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i][column("experiment")], "dummy");
        EXPECT_EQ(rows[i][column("verified")], "true");
        EXPECT_EQ(rows[i][column("rho")], "8");
        EXPECT_GT(std::stod(rows[i][column("median_ms")]), 0);
        EXPECT_FALSE(rows[i][column("device")].empty());
    }
    const std::string svg = content(exported(*window, "Export SVG"));
    EXPECT_TRUE(svg.starts_with("<svg")) << svg.substr(0, 40);
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_NE(svg.find("rec-launches"), std::string::npos);
    int width = 0, height = 0;
    const auto found = colors(exported(*window, "Export PNG"), width, height);
    EXPECT_GT(width, 700);
    EXPECT_GT(height, 600);
    EXPECT_GT(found.size(), 50u) << "bars, curves and text";
}

TEST_F(LabWindow, CancelStopsWithinAMeasurement) {
    auto window = open_paused({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->key("l");
    window->click("Start");
    window->wait_for("rows", [](const Json& s) { return s["lab"]["rows"] >= 4; });
    const int frames = window->state("frames");
    window->click("Cancel");
    window->wait_for("the end", [](const Json& s) { return s["lab"]["running"] == false; });
    const Json lab = window->state("lab");
    EXPECT_TRUE(lab["cancelled"]);
    EXPECT_LT(lab["rows"], lab["total"]);
    EXPECT_GT(window->state("frames"), frames) << "the window must not freeze";
    EXPECT_TRUE(window->shows("Start"));
    EXPECT_TRUE(window->shows("Export CSV")) << "measured rows stay";
}

TEST_F(LabWindow, TimesSelectedNumbersOfFeatures) {
    auto window = open_paused({"plummer", "--bodies", "300", "--backend", "cpu"});
    window->key("l");
    EXPECT_FALSE(window->shows("all numbers of features"));
    window->choose("Experiment", "Distance matrix");
    for (const char* chip : {"2", "4", "Rectangular box"}) window->click(chip);
    window->type_into("N to", "2048");
    window->click("Start");
    // Two sizes, two numbers of features, the bounding box and the map.
    window->wait_for("eight rows", [](const Json& s) { return s["lab"]["running"] == false && s["lab"]["rows"] == 8; });
}

TEST_F(LabWindow, BodiesMoveDuringMeasurementsIfNotPaused) {
    auto window = open({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->key("l");
    window->click("Pause the bodies while it measures");
    window->click("Start");
    window->wait_for("rows", [](const Json& s) { return s["lab"]["rows"] >= 2; });
    const int step = window->state("step");
    window->wait_for("steps meanwhile", [&](const Json& s) { return s["step"] > step && s["lab"]["running"] == true; });
    EXPECT_EQ(window->state("paused"), false);
    window->click("Cancel");
    window->wait_for("the end", [](const Json& s) { return s["lab"]["running"] == false; });
}

TEST_F(LabWindow, ReportsExactRanges) {
    auto window = open_paused({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->key("l");
    window->choose("Experiment", "Exact ranges");
    window->wait_for("no controls for sizes", [&](const Json&) { return !window->shows("N from"); });
    window->click("Start");
    window->wait_for("the first row", [](const Json& s) { return s["lab"]["rows"] >= 1; });
    window->click("Cancel");
    window->wait_for("the end", [](const Json& s) { return s["lab"]["running"] == false; });
    EXPECT_EQ(window->state()["lab"]["bars"], 0);
    EXPECT_TRUE(window->greyed("Export SVG")) << "there are no curves";
    EXPECT_TRUE(content(exported(*window, "Export CSV")).starts_with("experiment,backend,map,root,counted_in"));
}

/// 1626 rows of tiles: the float square root by three Newton steps is wrong for one of the last.
TEST_F(LabWindow, MarksAWrongMap) {
    auto window = open_paused({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->key("l");
    window->choose("Experiment", "Square roots");
    window->click("λ with −0.4999");
    window->click("Newton steps, N");
    window->click("8 × 8");
    window->type_into("N from", "13008");
    window->type_into("N to", "13008");
    window->point_at("Repeats", 0.01);
    window->xdotool({"click", "1"});
    window->wait_for("few repeats", [](const Json& s) { return s["lab"]["chosen"]["repeat"] < 4; });
    window->click("Start");
    window->wait_for("the end", [](const Json& s) { return s["lab"]["rows"] == 2 && s["lab"]["running"] == false; });
    EXPECT_EQ(window->state()["lab"]["bars"], 2);
    EXPECT_EQ(window->state()["lab"]["wrong"], 1);
    EXPECT_EQ(window->state()["lab"]["panels"], 0) << "a wrong map has no improvement factor";
    const auto rows = content(exported(*window, "Export CSV"));
    EXPECT_NE(rows.find(",false,"), std::string::npos) << rows;
}

TEST_F(LabWindow, OffersMapsAndSizesOfEachExperiment) {
    auto window = open_paused({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->key("l");
    window->click("Rectangular box");
    window->choose("Experiment", "Dummy kernel of triples");
    window->wait_for("the choices of this experiment", [&](const Json& s) {
        const Json& chosen = s["lab"]["chosen"];
        return chosen["maps"].empty() && chosen["from"] == 64 && chosen["step"] == 64 &&
               !window->shows("Rectangular box");
    });
    window->click("Hadouken of three, by bits");
    window->type_into("N to", "64");
    window->click("Start");
    window->wait_for("the end", [](const Json& s) { return s["lab"]["rows"] == 2 && s["lab"]["running"] == false; });
    EXPECT_EQ(window->state()["lab"]["wrong"], 0);
    EXPECT_EQ(window->state()["lab"]["panels"], 1);
}

TEST_F(LabWindow, KeyTogglesTheLaboratory) {
    auto window = open_paused({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->click("Setup");
    window->key("l");
    window->wait_for("the panel", [&](const Json& s) { return s["panel"] == "lab" && window->shows("Start"); });
    window->key("l");
    window->wait_for("the previous panel", [](const Json& s) { return s["panel"] == "scene"; });
}

}  // namespace
}  // namespace orrery::test
