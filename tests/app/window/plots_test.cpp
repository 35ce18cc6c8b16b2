// SPDX-License-Identifier: MIT
// The Plots page.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/analysis/analyses.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

class PlotsWindow : public WindowTest {};

TEST_F(PlotsWindow, EveryPlotIsShownAndExported) {
    auto window = open({"plummer", "--bodies", "600", "--backend", "cpu"});
    window->click("Plots");
    for (const AnalysisEntry& entry : analyses()) {
        window->click("Plot");
        window->click(std::string{entry.label});
        window->wait_for(std::string{entry.id}, [&](const Json& s) { return s["plot"]["kind"] == entry.id; });
        EXPECT_EQ(window->state("plot")["note"], "") << entry.id;
        EXPECT_EQ(window->map()["without_tip"], Json::array()) << entry.id;
    }
    window->choose("Plot", "Groups");
    window->wait_for("groups", [](const Json& s) { return s["plot"]["kind"] == "groups"; });
    const int serial = window->state("plot")["serial"];
    window->wait_for("an update as the bodies move", [&](const Json& s) { return s["plot"]["serial"] > serial + 1; });
    window->click("SVG");
    window->wait_for("the file", [](const Json& s) { return s["last_export"] != ""; });
    const std::filesystem::path svg{window->state("last_export").get<std::string>()};
    EXPECT_TRUE(text_of(svg).starts_with("<svg")) << svg;
    window->click("CSV");
    window->wait_for("the table", [&](const Json& s) { return s["last_export"] != svg.string(); });
    EXPECT_TRUE(text_of(window->state("last_export").get<std::string>()).starts_with("group,mass,bodies,"));
}

TEST_F(PlotsWindow, PotentialContoursAreDrawnInTheViewAndUpdated) {
    auto window = open({"figure-eight", "--backend", "cpu", "--width", "480", "--height", "360"});
    window->click("Plots");
    window->choose("Plot", "Potential");
    window->wait_for("the plane", [](const Json& s) { return s["plot"]["kind"] == "potential"; });
    EXPECT_EQ(window->state("plot")["contours"], 0);
    window->click("In the picture");
    window->wait_for("contours", [](const Json& s) { return s["plot"]["contours"] >= 12; });
    window->click("Energy");
    const int serial = window->state("plot")["serial"];
    window->wait_for("updates as the bodies move", [&](const Json& s) {
        return s["panel"] == "energy" && s["plot"]["serial"] > serial + 1 && s["plot"]["contours"] >= 12;
    });
    window->click("Plots");
    window->choose("Plot", "Histogram");
    window->wait_for("no contours for a plot without a plane",
                     [](const Json& s) { return s["plot"]["contours"] == 0; });
}

TEST_F(PlotsWindow, ClickOnAGroupSelectsItsBodies) {
    {
        std::ofstream file{scratch() / "two.csv"};
        file << "m,x,y,z,vx,vy,vz\n";
        for (int i = 0; i < 60; ++i)
            file << 1 + (i < 20) << ',' << (i < 20 ? 0 : 10) + 0.01 * (i % 20) << ",0," << 0.01 * (i / 20)
                 << ",0,0,0\n";
    }
    auto window = open_paused({(scratch() / "two.csv").string(), "--backend", "cpu", "--dt", "1e-9"});
    window->click("Plots");
    window->click("Plot");
    window->click("Groups");
    window->wait_for("two groups", [](const Json& s) { return s["plot"]["groups"] == 2; });
    const auto label = [&](const std::string& begin) {
        const Json map = window->map();
        for (const auto& [name, widget] : map["widgets"].items())
            if (name.starts_with(begin)) return name;
        return std::string{};
    };
    window->wait_for("the table", [&](const Json&) { return !label("2: ").empty(); });
    window->click(label("2: "));
    window->wait_for("its bodies", [](const Json& s) { return s["hand"]["picked"] == 40; });
    window->scroll_to("Follow");
    window->click("Follow");
    window->wait_for("the camera", [](const Json& s) { return s["camera"]["follow"] == "picked"; });
}

}  // namespace
}  // namespace orrery::test
