// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/picture/compare_view.hpp"
#include "app/picture/format.hpp"
#include "app/picture/settings_of_compare_view.hpp"
#include "app/ui/engine_knobs.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

/// Settings of B that match A.
CompareSettings of_a(const UiState& state) {
    return {.engine = state.engine, .softening = state.status.gravity.softening};
}

void ask_of_a(const UiState& state, const CompareSettings& b, UiRequests& requests) {
    requests.ask(SetEngine{b.engine});
    if (b.softening != state.status.gravity.softening) requests.ask(SetSoftening{b.softening});
    if (b.dt_power != 0) requests.ask(SetDt{std::ldexp(state.status.dt, b.dt_power)});
}

void copy_buttons(Widgets& ui, const UiState& state, const CompareSettings& b, UiRequests& requests) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    if (ui.button("A to B", "Copies A's engine, softening and dt to B; its bodies stay", width))
        requests.ask(SetCompare{of_a(state)});
    ImGui::SameLine();
    const auto to_a = [&](const CompareSettings& next) {
        ask_of_a(state, b, requests);
        requests.ask(SetCompare{next});
    };
    CompareSettings same = b, swapped = of_a(state);
    same.dt_power = 0;
    swapped.dt_power = -b.dt_power;
    if (ui.button("B to A", "Copies B's engine, softening and dt to A; its bodies stay", width)) to_a(same);
    ImGui::SameLine();
    if (ui.button("Swap", "Exchanges engine, softening and dt of A and B; their bodies stay", width)) to_a(swapped);
}

/// `whole`: the step that B's step is a multiple or a fraction of.
std::string step_text(int power, std::string_view whole) {
    if (power == 0) return std::string{whole};
    return power > 0 ? fmt::format("{} × {}", 1 << power, whole) : fmt::format("{} / {}", whole, 1 << -power);
}

bool step_combo(Widgets& ui, int& power, bool of_series) {
    const std::string_view whole = of_series ? "dt" : tr("A's");
    if (!ui.begin_combo("Step of B", step_text(power, whole),
                        of_series ? "Longest step of B, in units of the Setup tab's dt: from one picture of the series "
                                    "to the next it takes equal steps"
                                  : "Step length of B in units of A's. The two are compared whenever they are at the "
                                    "same time"))
        return false;
    bool edited = false;
    for (int choice = -CompareSettings::kMostPower; choice <= CompareSettings::kMostPower; ++choice)
        if (ui.choice(step_text(choice, whole), choice == power,
                      of_series ? "A power of two" : "A power of two, so that both reach the same times exactly"))
            power = choice, edited = true;
    ui.end_combo();
    return edited;
}

void settings_of_b(Widgets& ui, CompareSettings b, bool of_series, UiRequests& requests) {
    ui.heading("B");
    bool edited = engine_combos(ui, b.engine);
    if (const auto softening =
            ui.typed_real("Softening", b.softening,
                          "Plummer softening length of B, in the scene's units; that of A is in the Setup tab"))
        b.softening = *softening, edited = true;
    edited |= step_combo(ui, b.dt_power, of_series);
    edited |= engine_knobs(ui, b.engine);
    if (edited) requests.ask(SetCompare{b});
}

/// The time of one evaluation as a bar; the longer one of A and B fills the width.
void time_bar(Widgets& ui, const char* label, const Timing& force, double longest, ImU32 color) {
    ui.value(
        label, force.count > 0 ? milliseconds_text(force.median) : "–",
        "Time of one evaluation of all forces: median of the last 64, in ms. A and B take turns on the same machine");
    const float left = ImGui::GetItemRectMax().x + 10 * ui.scale();
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    const float bar_left = std::max(left, right - 130 * ui.scale());
    if (longest <= 0 || force.count == 0 || right <= bar_left) return;
    const float top = ImGui::GetItemRectMin().y + 3 * ui.scale(), bottom = ImGui::GetItemRectMax().y - 2 * ui.scale();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled({bar_left, top}, {right, bottom}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    const float part = static_cast<float>(force.median / longest);
    draw.AddRectFilled({bar_left, top}, {bar_left + std::max(2.0f, part * (right - bar_left)), bottom}, color);
}

std::string ratio_text(const Timing& a, const Timing& b) {
    if (a.count == 0 || b.count == 0 || a.median <= 0 || b.median <= 0) return "–";
    const double ratio = b.median / a.median;
    return ratio >= 1 ? phrase("B takes {:.2f} × as long as A", ratio)
                      : phrase("A takes {:.2f} × as long as B", 1 / ratio);
}

void figures(Widgets& ui, const UiState& state) {
    const CompareStatus& c = state.status.compare;
    const double longest = std::max(state.status.force.median, c.force.median);
    time_bar(ui, "Force of A", state.status.force, longest, kColorOfA);
    time_bar(ui, "Force of B", c.force, longest, kColorOfB);
    ui.value("Ratio", ratio_text(state.status.force, c.force), "Ratio of the two medians");
    const bool known = c.divergence.has_value();
    ui.value("Distance",
             !known                   ? "–"
             : c.divergence->max == 0 ? std::string{tr("identical so far")}
                                      : phrase("{:.1e} rms, {:.1e} at most", c.divergence->rms, c.divergence->max),
             phrase("√(mean of |x_B − x_A|²) over all bodies, and the maximum |x_B − x_A|, which is that of body "
                    "{}; in the scene's units",
                    known ? c.divergence->body : 0));
}

void view_of_both(Widgets& ui, const UiState& state, UiRequests& requests) {
    CompareView view = state.compare_view;
    bool edited = false;
    for (const CompareViewSetting& each : compare_view_settings())
        if (each.info.id != "divider") edited |= setting_control(ui, each, view);
    if (edited) requests.compare_view = view;
}

/// For users without a mouse.
void divider(Widgets& ui, CompareView view, UiRequests& requests) {
    if (setting_control(ui, setting(compare_view_settings(), "divider"), view)) requests.compare_view = view;
}

}  // namespace

void compare_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const bool on = state.compare.has_value();
    const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (ui.button(on ? "End comparison###compare" : "Begin comparison###compare",
                  "Starts a second simulation, B, from the current state, with its own settings; it runs in step with "
                  "the first, A, which may be a series of snapshots. Key X",
                  on ? width : -1))
        requests.ask(Command::kCompare);
    if (!on)
        return ui.note(
            "Compares two engines or settings from the same state: how far they diverge, how well they conserve "
            "energy, and how long each takes.");
    ImGui::SameLine();
    if (ui.button("Restart from A", "Copies A's positions and velocities to B; both engines are reset", width))
        requests.ask(RestartCompare{});
    const bool of_series = state.status.compare.of_series;
    if (!of_series) copy_buttons(ui, state, *state.compare, requests);
    view_of_both(ui, state, requests);
    figures(ui, state);
    const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (ui.button("Export CSV",
                  "Writes distances and energies since the beginning of the comparison into the current folder", half))
        requests.ask(Command::kExportCompare);
    ImGui::SameLine();
    if (ui.button("Export SVG", "Writes the same as a plot", half)) requests.ask(Command::kPlotCompare);
    settings_of_b(ui, *state.compare, of_series, requests);
    divider(ui, state.compare_view, requests);
}

}  // namespace orrery
