// SPDX-License-Identifier: MIT
// The Structure page.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/window/plots/pages.hpp"
#include "core/presets/spheres.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

class StructureWindow : public WindowTest {};

TEST_F(StructureWindow, StructureIsMonitoredAndPlotted) {
    auto window = open({"plummer", "--bodies", "2000", "--backend", "cpu"});
    window->wait_for("structure", [](const Json& s) { return s["structure"].value("samples", 0) >= 3; });
    window->click("Structure");
    window->wait_for("its plot", [&](const Json&) { return window->shows("Lagrangian radii"); });
    const Json seen = window->state("structure");
    const AnalyticProfile& plummer = *analytic_profile("plummer");
    EXPECT_NEAR(seen["radii"][3].get<double>(), lagrangian_radius(plummer, 0.5), 0.2)
        << "softening makes it slightly larger";
    EXPECT_GT(seen["closest"][2].get<double>(), 0);
    EXPECT_GE(seen["period"].get<double>(), 20 * 0.99 * seen["seconds"].get<double>());
    const std::map<std::string, std::string> canvas{{"Radii", "Lagrangian radii"},
                                                    {"Density", "Density profile"},
                                                    {"Drift", "Conserved quantities"},
                                                    {"Virial", "Virial ratio"},
                                                    {"Pair", "Closest pair"}};
    for (const StructurePlotEntry& plot : structure_plots()) {
        window->click(std::string{plot.label});
        window->wait_for(std::string{plot.label}, [&](const Json& s) {
            return s["structure"]["plot"] == plot.id && window->shows(canvas.at(std::string{plot.label}));
        });
        EXPECT_EQ(window->map()["without_tip"], Json::array()) << plot.label;
    }
}

TEST_F(StructureWindow, AnalysisFollowsTheBodiesAndStopsWithThem) {
    auto window = open({"cold-sphere", "--bodies", "1000", "--backend", "cpu"});
    window->wait_for("structure", [](const Json& s) { return s["structure"].value("samples", 0) >= 2; });
    const double at_first = window->state("structure")["radii"][3];
    window->wait_for("the collapse", [&](const Json& s) { return s["structure"]["radii"][3] < 0.8 * at_first; });
    window->click("Pause");
    window->wait_for("the structure of the paused state",
                     [](const Json& s) { return s["paused"] == true && s["structure"]["step"] == s["step"]; });
    const int serial = window->state("structure")["serial"];
    window->wait_frames(30);
    EXPECT_EQ(window->state("structure")["serial"], serial) << "no analysis while paused";
}

TEST_F(StructureWindow, DiagnosticsAreExported) {
    auto window = open({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->click("Structure");
    window->wait_for("samples", [](const Json& s) { return s["structure"].value("samples", 0) >= 4; });
    window->click("CSV");
    window->wait_for("the file", [](const Json& s) { return s["last_export"] != ""; });
    const std::filesystem::path path{window->state("last_export").get<std::string>()};
    const auto table = lines_of(path);
    ASSERT_GE(table.size(), 5u);
    EXPECT_TRUE(table[0].starts_with("step,time,kinetic,potential,total,")) << table[0];
    for (const std::string& line : table)
        EXPECT_EQ(std::ranges::count(line, ','), std::ranges::count(table[0], ',')) << line;
    std::string profile = path.string();
    profile.replace(profile.find("-diagnostics.csv"), std::string::npos, "-profile.csv");
    const auto shells = lines_of(profile);
    ASSERT_GT(shells.size(), 5u);
    EXPECT_EQ(shells[0], "inner_radius,outer_radius,bodies,density");
    window->click("SVG");
    window->wait_for("a picture", [](const Json& s) { return s["last_export"].get<std::string>().ends_with(".svg"); });
    const std::filesystem::path picture{window->state("last_export").get<std::string>()};
    const std::string svg = fmt::format("{}", fmt::join(lines_of(picture), "\n"));
    EXPECT_NE(svg.find("Lagrangian radii"), std::string::npos);
    EXPECT_NE(svg.find("<polyline"), std::string::npos);
    for (const std::filesystem::path& each : {path, std::filesystem::path{profile}, picture})
        std::filesystem::remove(each);
}

}  // namespace
}  // namespace orrery::test
