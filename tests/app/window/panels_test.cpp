// SPDX-License-Identifier: MIT
#include <cmath>
#include <fstream>

#include "core/engines/menu.hpp"
#include "core/gl/info.hpp"
#include "core/maps/maps.hpp"
#include "core/physics/units.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

std::string label_of(std::string_view id) {
    for (const EngineEntry& entry : engines())
        if (entry.id == id) return std::string{entry.label};
    return {};
}

const std::vector<std::string> kScene{"plummer", "--bodies", "500"};
const std::vector<std::string> kTree{"plummer", "--bodies", "500", "--backend", "cpu", "--engine", "tree"};

class PanelsWindow : public WindowTest {};

TEST_F(PanelsWindow, EngineIsSwitchedAndSwitchedBack) {
    WindowDriver& window = shared(kScene);
    ASSERT_EQ(window.state("engine"), "direct");
    window.choose("Engine", label_of("reference"));
    window.wait_for("the reference", [](const Json& s) { return s["engine"] == "reference"; });
    window.choose("Engine", label_of("direct"));
    window.wait_for("direct", [](const Json& s) { return s["engine"] == "direct"; });
    const int step = window.state("step");
    window.wait_for("more steps", [&](const Json& s) { return s["step"] > step + 3; });
}

TEST_F(PanelsWindow, PrecisionIsSelected) {
    WindowDriver& window = shared(kScene);
    ASSERT_EQ(window.state("precision"), "single");
    window.choose("Precision", "double");
    window.wait_for("double", [](const Json& s) { return s["precision"] == "double"; });
    window.wait_for("a smaller error",
                    [](const Json& s) { return s["rms_error"].is_number() && s["rms_error"] < 1e-12; });
}

TEST_F(PanelsWindow, PauseStopsAndStepTakesOne) {
    WindowDriver& window = shared(kScene);
    window.wait_for("steps", [](const Json& s) { return s["step"] > 2; });
    window.click("Pause");
    window.wait_for("the pause", [](const Json& s) { return s["paused"] == true; });
    window.wait_frames(5);
    const int step = window.state("step");
    window.wait_frames(20);
    EXPECT_EQ(window.state("step"), step);
    window.click("Step");
    window.wait_for("one step", [&](const Json& s) { return s["step"] == step + 1; });
    window.wait_frames(10);
    EXPECT_EQ(window.state("step"), step + 1);
    window.click("Resume");
    window.wait_for("more steps", [&](const Json& s) { return s["step"] > step + 5; });
}

TEST_F(PanelsWindow, PresetIsSelectedAndRestarted) {
    WindowDriver& window = shared(kScene);
    const PresetEntry& other = preset("solar-system");
    window.click("Setup");
    window.choose("Preset", std::string{other.label});
    window.wait_for("the preset", [&](const Json& s) { return s["scene"] == other.id; });
    EXPECT_EQ(window.state("bodies"), other.default_bodies);
    window.wait_for("steps", [](const Json& s) { return s["step"] > 20; });
    const int serial = window.state("scene_serial");
    window.click("Restart");
    window.wait_for("a new beginning", [&](const Json& s) { return s["scene_serial"] == serial + 1; });
    EXPECT_EQ(window.state("scene"), other.id);
}

/// A number field reports invalid input and keeps its value.
TEST_F(PanelsWindow, NumberFieldsAcceptUnitsAndSuffixesOrRefuse) {
    WindowDriver& window = shared(kScene);
    if (window.state("scene") != "solar-system") {
        window.click("Setup");
        window.choose("Preset", std::string{preset("solar-system").label});
        window.wait_for("planets", [](const Json& s) { return s["scene"] == "solar-system"; });
    }
    pause(window);
    window.click("Setup");
    window.type_into("dt", "0.5day");
    window.wait_for("half a day",
                    [](const Json& s) { return std::fabs(s["dt"].get<double>() * kGaussianDays - 0.5) < 1e-6; });
    window.type_into("dt", "3fortnights");
    window.wait_for("a refusal", [](const Json& s) {
        return s["message"].get<std::string>().find("no unit of time 'fortnights'") != std::string::npos;
    });
    EXPECT_NEAR(window.state("dt").get<double>() * kGaussianDays, 0.5, 1e-6);
    window.click("Setup");
    window.choose("Preset", std::string{preset("plummer").label});
    window.wait_for("a preset", [](const Json& s) { return s["scene"] == "plummer"; });
    window.type_into("Bodies", "2k");
    window.wait_for("2000 bodies", [](const Json& s) { return s["bodies"] == 2000; });
    window.type_into("Bodies", "-500");
    window.wait_for("a refusal", [](const Json& s) {
        return s["message"].get<std::string>().find("\"-500\": expected a whole number") != std::string::npos;
    });
    EXPECT_EQ(window.state("bodies"), 2000);
}

TEST_F(PanelsWindow, UnsupportedIntegratorsAreGreyed) {
    WindowDriver& window = shared(kTree);
    pause(window);
    window.click("Setup");
    window.click("Integrator");
    window.wait_for("the list is open", [&](const Json&) { return window.shows("Yoshida 6"); });
    EXPECT_TRUE(window.greyed("Hermite 4"));
    EXPECT_TRUE(window.greyed("Hermite 4, block steps"));
    EXPECT_FALSE(window.greyed("Yoshida 6"));
    window.key("Escape");
    window.wait_for("no list", [&](const Json&) { return !window.shows("Yoshida 6"); });
}

TEST_F(PanelsWindow, UnsupportedLawsAreGreyed) {
    WindowDriver& window = shared(kTree);
    pause(window);
    window.click("Scene");
    window.click("Law");
    window.wait_for("the list is open", [&](const Json&) { return window.shows("Gravity"); });
    EXPECT_TRUE(window.greyed("Coulomb"));
    EXPECT_TRUE(window.greyed("Lennard-Jones"));
}

TEST_F(PanelsWindow, UnavailableBackendIsGreyed) {
    auto window = open_paused({"plummer", "--bodies", "500", "--backend", "cpu"});
    bool cuda_works = false;
    for (const EngineEntry& entry : engines())
        cuda_works |= entry.id == "direct" && entry.backend == Backend::kCuda && unavailable(entry).empty();
    window->click("Backend");
    window->wait_for("the list is open", [&](const Json&) { return window->shows("cpu"); });
    EXPECT_EQ(window->shows("cuda"), cuda_works);
    EXPECT_EQ(window->greyed("cuda"), !cuda_works);
}

TEST_F(PanelsWindow, OpenGlDeviceIsSwitchedAndTheBodiesAreKept) {
    const GlComputeInfo& gl = gl_compute_info();
    if (!gl.available) GTEST_SKIP() << gl.reason;
    auto window = open({"plummer", "--bodies", "500", "--engine", "direct", "--backend", "gl"});
    window->wait_for("the device that draws", [](const Json& s) { return s["gl_device"] == "the window's OpenGL"; });
    const std::string other = gl.devices.front().place;
    const int step = window->state("step");
    window->choose("OpenGL device", other);
    window->wait_for("steps on the other device", [&](const Json& s) {
        return s["gl_device"] == other && s["way"] == "host" && s["step"] > step + 3 && s["bodies"] == 500;
    });
    window->choose("OpenGL device", "the window's OpenGL");
    window->wait_for("frames without a copy again", [](const Json& s) {
        return s["gl_device"] == "the window's OpenGL" && s["way"] == "shared" && s["energy_drift"].is_number() &&
               std::abs(s["energy_drift"].get<double>()) < 1e-3;
    });
}

TEST_F(PanelsWindow, MapsAndRootsAreSwitchedWhileRunning) {
    auto window = open({"plummer", "--bodies", "500", "--engine", "half"});
    ASSERT_EQ(window->state("map"), "lambda");
    window->choose("Root", "Newton steps, N (newton)");
    window->wait_for("the root", [](const Json& s) { return s["root"] == "newton"; });
    window->choose("Map", "Rectangular box (rb)");
    window->wait_for("the map", [](const Json& s) { return s["map"] == "rb" && s["root"] == ""; });
    for (std::size_t i = 0; i < maps().size(); ++i) {
        const Json before = window->state();
        window->key("m");
        window->wait_for("the next map and steps after it", [&](const Json& s) {
            return s["map"] != before["map"] && s["step"] > before["step"] && s["sim_time"] > before["sim_time"];
        });
    }
    EXPECT_EQ(window->state("map"), "rb") << "after a full cycle of the menu";
}

TEST_F(PanelsWindow, IntegratorAndAdaptiveStepsAreSelected) {
    auto window = open({"scattering", "--backend", "cpu"});
    ASSERT_EQ(window->state("integrator"), "yoshida6");
    window->click("Setup");
    window->choose("Integrator", "Hermite 4");
    window->wait_for("Hermite's scheme", [](const Json& s) { return s["integrator"] == "hermite4"; });
    window->type_into("Adaptive", "0.01");
    window->wait_for("shorter steps", [](const Json& s) { return s["adaptive"] == 0.01; });
    const int step = window->state("step");
    window->wait_for("steps by it", [&](const Json& s) { return s["step"] > step + 5; });
}

TEST_F(PanelsWindow, LawsAreSelectedWithTheirLengths) {
    auto window = open({"argon-drop", "--bodies", "100", "--backend", "cpu", "--engine", "half"});
    ASSERT_EQ(window->state("law"), "lennard-jones");
    window->click("Scene");
    window->type_into("Cut-off / σ", "3");
    window->wait_for("the cut-off", [](const Json& s) { return s["cut_off"] == 3; });
    window->choose("Law", "Coulomb");  // refused: there are no charges
    window->wait_for("a refusal", [](const Json& s) { return s["message"] != ""; });
    EXPECT_EQ(window->state("law"), "lennard-jones");
    window->choose("Law", "Gravity, spline");
    window->wait_for("gravity", [](const Json& s) { return s["law"] == "spline"; });
    const int step = window->state("step");
    window->wait_for("steps by it", [&](const Json& s) { return s["step"] > step + 5; });
}

TEST_F(PanelsWindow, CompensatedSumsAreSwitchedOn) {
    auto window = open({"plummer", "--bodies", "500", "--backend", "cpu"});
    ASSERT_EQ(window->state("compensated"), false);
    window->click("Compensated sums");
    window->wait_for("the switch", [](const Json& s) { return s["compensated"] == true; });
    const int step = window->state("step");
    window->wait_for("more steps", [&](const Json& s) { return s["step"] > step + 3; });
}

TEST_F(PanelsWindow, SceneNumbersAreTyped) {
    auto window = open_paused({"plummer", "--bodies", "500"});
    window->click("Setup");
    window->type_into("Bodies", "1234");
    window->wait_for("1234 bodies", [](const Json& s) { return s["bodies"] == 1234; });
    window->type_into("Bodies", "0");  // 0 means the preset's default
    window->wait_for("the preset's default",
                     [](const Json& s) { return s["bodies"] == preset("plummer").default_bodies; });
    window->type_into("Softening", "0.25");
    window->wait_for("softening", [](const Json& s) { return s["softening"] == 0.25; });
    window->type_into("dt", "-1");  // refused: the old value stays, and the window reports it
    window->wait_for("a refusal", [](const Json& s) { return s["message"] != ""; });
    EXPECT_GT(window->state("dt"), 0);
    EXPECT_NE(window->errors().find("-1"), std::string::npos) << window->errors();
}

TEST_F(PanelsWindow, EachPanelShowsItsControls) {
    auto window = open_paused({"plummer", "--bodies", "500", "--fresh"});
    const std::map<std::string, std::string> sign{{"Forces", "Engine"},
                                                  {"Maps", "Launch grid"},
                                                  {"Setup", "Softening"},
                                                  {"View", "Exposure"},
                                                  {"Recording", "Start recording"},
                                                  {"Info", "Help"},
                                                  {"Lab", "Start"},
                                                  {"Kernel", "Run"}};
    for (const auto& [panel, widget] : sign) {
        window->click(panel);
        window->wait_for(panel, [&](const Json&) { return window->shows(widget); });
    }
}

}  // namespace
}  // namespace orrery::test
