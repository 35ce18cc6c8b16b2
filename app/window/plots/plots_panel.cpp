// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "app/picture/format.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/plots/pages.hpp"
#include "app/window/plots/power.hpp"
#include "core/analysis/analyses.hpp"
#include "core/analysis/columns.hpp"
#include "core/analysis/result.hpp"

namespace orrery {
namespace {

constexpr float kPlotHeight = 240, kLeastLargePlot = 240;  // pixels at scale 1
constexpr std::size_t kRows = 12;                          // shown in the table of groups

Picked bodies_of_group(const AnalysisResult& result, const BodyGroup& group) {
    auto bodies = std::make_shared<std::vector<std::uint32_t>>();
    for (std::size_t i = 0; i < result.group_of.size(); ++i)
        if (result.group_of[i] == group.first) bodies->push_back(static_cast<std::uint32_t>(i));
    return bodies;
}

/// A row for each group; a click picks its bodies.
void group_table(Widgets& ui, const UiState& state, const AnalysisResult& result, UiRequests& requests) {
    ui.heading(phrase("{} groups: mass, bodies, radius, dispersion", result.groups.size()));
    for (std::size_t i = 0; i < std::min(result.groups.size(), kRows); ++i) {
        const BodyGroup& group = result.groups[i];
        const bool picked =
            state.hand.picked && state.hand.count() == group.bodies && state.hand.picked->front() == group.first;
        const std::string label = fmt::format("{}: {:.3g}, {}, {:.3g}, {:.3g}", i + 1, group.mass, group.bodies,
                                              group.radius, group.dispersion);
        if (ui.tab(label, picked,
                   phrase("Picks the bodies of this group, which then can be followed: key F. Its centre is at "
                          "{:.4g}, {:.4g}, {:.4g} and moves with {:.3g}, {:.3g}, {:.3g}",
                          group.centre.x, group.centre.y, group.centre.z, group.velocity.x, group.velocity.y,
                          group.velocity.z),
                   ImGui::GetContentRegionAvail().x))
            requests.pick = bodies_of_group(result, group);
    }
    if (result.groups.size() > kRows)
        ui.note(phrase("and {} more: they are all in the CSV", result.groups.size() - kRows));
    if (state.hand.count() > 0 && ui.button("Follow", "The camera follows what is picked. Key F"))
        requests.ask(Command::kFollow);
}

/// The panels of a plot with the selected bodies, until either changes.
struct ShownPlot {
    std::shared_ptr<const AnalysisResult> of;
    Picked picked;
    std::vector<PlotPanel> panels;
};

std::vector<PlotPanel> panels_of(const UiState& state, UiRequests& requests) {
    ShownPlot shown = state.own.of<ShownPlot>();
    if (shown.of == state.status.analysis.now && shown.picked == state.hand.picked) return std::move(shown.panels);
    shown = {state.status.analysis.now, state.hand.picked, analysis_plots(*state.status.analysis.now)};
    if (shown.picked)
        for (PlotPanel& panel : shown.panels) panel = with_selected(std::move(panel), *shown.of, *shown.picked);
    requests.change([shown](UiState& now) { now.own.of<ShownPlot>() = shown; });
    return std::move(shown.panels);
}

/// A line drawn over the plot selects its bodies.
void select_in_plot(Widgets& ui, const UiState& state, const AnalysisResult& result, const PlotPanel& panel,
                    UiRequests& requests) {
    const PlotLasso& before = state.own.of<PlotLasso>();
    PlotLasso lasso = before;
    const auto line = draw_lasso(panel, ui.scale(), lasso);
    if (line) requests.enclosed = bodies_within(result, *line);
    if (!lasso.plot.empty() || !before.plot.empty())
        requests.change([lasso](UiState& now) { now.own.of<PlotLasso>() = lasso; });
}

}  // namespace

void plots_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    AnalysisSettings settings = state.plots.analysis;
    const AnalysisEntry& entry = analysis_of(settings.kind);
    bool edited = false;
    if (ui.begin_combo("Plot", entry.label, entry.doc)) {
        for (const AnalysisEntry& each : analyses())
            if (ui.choice(each.label, each.id == entry.id, each.doc)) settings.kind = each.id, edited = true;
        ui.end_combo();
    }
    SettingControls controls{ui, analysis_settings(), settings};
    controls.rest();
    const AnalysisStatus& status = state.status.analysis;
    const bool shown = status.now && status.settings.kind == state.plots.analysis.kind;
    if (ui.button("CSV", "Writes the numbers of this plot as a table into the current folder", 0,
                  shown ? "" : "there is no plot yet"))
        requests.ask(Command::kExportPlot);
    ImGui::SameLine();
    if (ui.button("SVG", "Writes this plot as a picture for papers and slides into the current folder", 0,
                  shown ? "" : "there is no plot yet"))
        requests.ask(Command::kDrawPlot);
    if (edited || controls.edited()) requests.change([settings](UiState& now) { now.plots.analysis = settings; });
    if (entry.in_plane) {
        SightSettings sight = state.sight.settings;
        if (ui.toggle("In the picture", sight.contours,
                      "Draws the contours among the bodies, also while another page is open"))
            requests.change([sight](UiState& now) { now.sight.settings = sight; });
    }
    if (!status.note.empty()) return ui.note(status.note);
    if (!shown) return ui.note("being computed");
    for (const PlotPanel& panel : panels_of(state, requests)) {
        plot_canvas(ui, panel, kPlotHeight, status.now->note);
        if (status.now->plotted) select_in_plot(ui, state, *status.now, panel, requests);
        if (panel.curves.size() > 1) plot_legend(panel, ui.scale());
    }
    if (status.now->plotted)
        ui.note("Drag in the plot selects bodies in a box, with Shift in a lasso; the page Selection combines them.");
    if (status.settings.kind == "groups") group_table(ui, state, *status.now, requests);
    ui.value(
        "Age",
        count_phrase(static_cast<std::uint64_t>(std::max<std::int64_t>(0, state.status.step - status.step)), "step"),
        "Steps since the state shown. Plots are computed in the background, a tenth of the time");
    ui.value("Took", milliseconds_text(status.seconds), "Time that one of these plots takes, in the background");
}

bool large_plot_overlay(Widgets& ui, const UiState& state, const PlotPanel& plot) {
    const DarkColors dark;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kOverlayGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const float bottom = screen.y - transport_height(state, ui.scale()) - kMessageStrip * ui.scale();
    const ImVec2 size{screen.x - left - gap, bottom - gap};
    if (size.x < kLeastLargePlot * ui.scale() || size.y < kLeastLargePlot * ui.scale()) return false;
    place_window({left, gap}, {0, 0}, 0.94f);
    ImGui::SetNextWindowSize(size);
    bool stays = true;
    if (ImGui::Begin(kLargePlotWindow, nullptr, kFloatingWindow)) {
        const float close = ImGui::GetFrameHeight(), end = ImGui::GetWindowContentRegionMax().x;
        ImGui::PushFont(bold_font());
        ImGui::AlignTextToFramePadding();
        write_text(if_known(plot.title));
        ImGui::PopFont();
        ImGui::SameLine(end - close);
        stays = !ui.button("Close plot###large", {.icon = Icon::kClose, .icon_only = true},
                           "The plot stays on its page. Key Esc", close);
        const float height = ImGui::GetContentRegionAvail().y - 2 * ImGui::GetTextLineHeightWithSpacing();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        draw_plot(plot, at, {ImGui::GetContentRegionAvail().x, height}, ui.scale());
        ImGui::Dummy({ImGui::GetContentRegionAvail().x, height});
        plot_legend(plot, ui.scale());
    }
    ImGui::End();
    return stays;
}

namespace {

using namespace command_table;

void export_history(Window& w, int) {
    w.exports.text("History", "-history.csv", history_csv(w.core.state.performance.history));
}

void export_diagnostics(Window& w, int) {
    if (const auto& structure = w.core.state.status.structure.now)
        w.exports.text("Density profile", "-profile.csv", profile_csv(*structure));
    w.exports.text("Diagnostics", "-diagnostics.csv", diagnostics_csv(w.core.state.plots.diagnostics));
}

void plot_history(Window& w, int) {
    w.exports.text("History", "-history.svg",
                   plot(w.exports.plot_title(), "the last minutes in the window",
                        history_plots(w.core.state.performance.history), 2));
}

void draw_diagnostics(Window& w, int) {
    w.exports.text("Diagnostics", "-diagnostics.svg",
                   plot_diagnostics(diagnostics_table(w.core.state.plots.diagnostics), w.exports.plot_title(),
                                    "measured during the run"));
}

void export_plot(Window& w, int) {
    if (const auto& plot = w.core.state.status.analysis.now)
        w.exports.text("Plot", fmt::format("-{}.csv", w.core.state.status.analysis.settings.kind).c_str(),
                       analysis_csv(*plot));
}

void draw_plot(Window& w, int) {
    if (const auto& plot = w.core.state.status.analysis.now)
        w.exports.text("Plot", fmt::format("-{}.svg", w.core.state.status.analysis.settings.kind).c_str(),
                       analysis_svg(*plot, fmt::format("{}: {}", w.core.state.status.scene.label, plot->title)));
}

constexpr auto kPlotsCommands = std::to_array<WindowCommand>({
    listed("Write the history as CSV", button(Command::kExportHistory, export_history)),
    listed("Write the diagnostics as CSV", button(Command::kExportDiagnostics, export_diagnostics)),
    listed("Plot the history as SVG", button(Command::kPlotHistory, plot_history)),
    listed("Plot the diagnostics as SVG", button(Command::kPlotDiagnostics, draw_diagnostics)),
    listed("Write the plot of the page Plots as CSV", button(Command::kExportPlot, export_plot)),
    listed("Draw the plot of the page Plots as SVG", button(Command::kDrawPlot, draw_plot)),
});

constexpr auto kPlotsPanels = std::to_array<PanelEntry>({
    {"energy", PanelGroup::kMeasure, "Energy", energy_panel, "Conserved quantities, and the force error"},
    {"structure", PanelGroup::kMeasure, "Structure", structure_panel,
     "Distribution of the bodies: radii, density, centres, closest pair, drift"},
    {"history", PanelGroup::kMeasure, "History", history_panel, "Times and errors, now and over the last minutes"},
    {"plots", PanelGroup::kMeasure, "Plots", plots_panel,
     "What the bodies show: rotation curves, densities, phase space, histograms, groups"},
});

nlohmann::json plot_json(const UiState& state) {
    const AnalysisStatus& s = state.status.analysis;
    return {{"kind", s.now ? s.settings.kind : ""},
            {"serial", s.serial},
            {"step", s.step},
            {"rows", s.now && !s.now->columns.empty() ? s.now->columns.front().values.size() : 0},
            {"groups", s.now ? s.now->groups.size() : 0},
            {"contours", state.sight.contours.size()},
            {"note", s.note}};
}

nlohmann::json structure_json(const UiState& state) {
    const StructureStatus& s = state.status.structure;
    if (!s.now) return {{"note", s.note}};
    nlohmann::json closest;
    if (s.now->closest) closest = {s.now->closest->first, s.now->closest->second, s.now->closest->distance};
    return {{"plot", state.plots.structure},
            {"samples", state.plots.diagnostics.samples().size()},
            {"serial", s.serial},
            {"step", s.step},
            {"seconds", s.seconds},
            {"period", s.period},
            {"radii", s.now->lagrangian_radii},
            {"shells", s.now->profile.size()},
            {"closest", closest}};
}

nlohmann::json power_json(const UiState& state) {
    const PowerState& power = state.own.of<PowerState>();
    const auto known = [](std::optional<double> value) { return value ? nlohmann::json(*value) : nlohmann::json(); };
    return {{"counter", power.counter},
            {"why_not", power.why_not},
            {"watts", known(power.watts)},
            {"bodies_per_joule", known(power.bodies_per_joule)},
            {"pairs_bound", known(pairs_bound(state))}};
}

std::unique_ptr<Feature> make_power(Window& w) { return std::make_unique<PowerControl>(w.core); }

void describe_plots(nlohmann::json& map, const UiState& state) {
    map["power"] = power_json(state);
    map["structure"] = structure_json(state);
    map["plot"] = plot_json(state);
    map["history"] = state.performance.history.samples().size();
}

}  // namespace

FeatureEntry plots_feature() {
    return {.panels = kPlotsPanels, .commands = kPlotsCommands, .describe = describe_plots, .make = make_power};
}

}  // namespace orrery
