// SPDX-License-Identifier: MIT
#include <cmath>

#include "app/window/panels.hpp"
#include "core/engines/menu.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

void open_panel(WindowDriver& window, const PanelEntry& panel) {
    window.click(std::string{panel.label});
    window.wait_for(std::string{panel.label}, [&](const Json& s) { return s["panel"] == panel.id; });
    window.wait_frames(5);
}

class WidgetsWindow : public WindowTest {};

TEST_F(WidgetsWindow, EveryControlHasATooltip) {
    auto window = open_paused({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->key("x");  // so that the comparison panel shows all its controls
    window->key("o");  // and the view panel too
    for (const char* engine : {"direct", "half", "tree", "triplet", "auto"}) {
        window->click("Forces");
        for (const EngineEntry& entry : engines())
            if (entry.id == engine && entry.backend == Backend::kCpu && window->state("engine") != engine)
                window->choose("Engine", std::string{entry.label});
        window->wait_for(engine, [&](const Json& s) { return s["engine"] == engine; });
        EXPECT_EQ(window->map()["without_tip"], Json::array()) << engine;
    }
    for (const PanelEntry& panel : panels()) {
        open_panel(*window, panel);
        EXPECT_EQ(window->map()["without_tip"], Json::array()) << panel.label;
    }
    window->click("Setup");
    window->click("Preset");
    window->wait_for("its choices", [&](const Json&) { return window->shows("Plummer sphere"); });
    EXPECT_EQ(window->map()["without_tip"], Json::array());
}

/// Clicks at the fraction `part` of a slider with this button.
void click_along(const WindowDriver& window, const std::string& label, double part, const char* button) {
    window.point_at(label, part);
    window.wait_frames(2);
    window.xdotool({"click", button});
    window.wait_frames(3);
}

bool at_reset(const WindowDriver& window, const std::string& label) {
    const Json slider = window.map()["sliders"].value(label, Json{});
    if (slider.is_null()) return false;
    const double value = slider["value"], reset = slider["reset"];
    return std::abs(value - reset) <= 1e-5 * std::max(std::abs(value), std::abs(reset));
}

TEST_F(WidgetsWindow, RightClickResetsEverySlider) {
    auto window = open_paused(
        {"plummer", "--bodies", "500", "--backend", "cpu", "--engine", "tree", "--fresh", "--width", "640"});
    window->key("o");
    window->key("x");
    int tried = 0;
    for (const PanelEntry& panel : panels()) {
        open_panel(*window, panel);
        const Json sliders = window->map()["sliders"];
        for (const auto& [label, ignored] : sliders.items()) {
            for (const double part : {0.3, 0.8}) {
                if (!window->shows(label)) break;
                if (at_reset(*window, label)) click_along(*window, label, part, "1");
            }
            if (!window->shows(label)) continue;  // it was hidden by the click
            EXPECT_FALSE(at_reset(*window, label)) << panel.label << ": a click does not move " << label;
            click_along(*window, label, 0.5, "3");
            window->wait_for(label + " is reset", [&](const Json&) { return at_reset(*window, label); });
            ++tried;
        }
    }
    EXPECT_GE(tried, 8);
}

}  // namespace
}  // namespace orrery::test
