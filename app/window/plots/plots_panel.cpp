// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <memory>

#include "app/picture/format.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "app/window/panels.hpp"
#include "core/analysis/analyses.hpp"
#include "core/analysis/result.hpp"

namespace orrery {
namespace {

constexpr float kPlotHeight = 240;  // pixels at scale 1
constexpr std::size_t kRows = 12;   // shown in the table of groups

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
    for (const PlotPanel& panel : analysis_plots(*status.now)) {
        plot_canvas(ui, panel, kPlotHeight, status.now->note);
        if (panel.curves.size() > 1) plot_legend(panel, ui.scale());
    }
    if (status.settings.kind == "groups") group_table(ui, state, *status.now, requests);
    ui.value(
        "Age",
        count_phrase(static_cast<std::uint64_t>(std::max<std::int64_t>(0, state.status.step - status.step)), "step"),
        "Steps since the state shown. Plots are computed in the background, a tenth of the time");
    ui.value("Took", milliseconds_text(status.seconds), "Time that one of these plots takes, in the background");
}

}  // namespace orrery
