// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "app/picture/format.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "core/analysis/analyses.hpp"
#include "core/plot/scales.hpp"

namespace orrery {
namespace {

constexpr float kPlotHeight = 240;  // pixels at scale 1
constexpr std::size_t kRows = 12;   // shown in the table of groups
// M. Okabe & K. Ito, "Color Universal Design", 2008.
constexpr std::array<ImU32, 4> kPlotColors{IM_COL32(86, 180, 233, 255), IM_COL32(230, 159, 0, 255),
                                           IM_COL32(0, 158, 115, 255), IM_COL32(204, 121, 167, 255)};

ImVec2 plot_point(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }

/// The points of a line that can be drawn.
std::vector<ImVec2> points_of(const AnalysisResult& result, const AnalysisPanel& panel, const AnalysisLine& line) {
    std::vector<ImVec2> points;
    const std::vector<double>&x = result.columns[line.x].values, &y = result.columns[line.y].values;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(y[i]) || (panel.log_y && !(y[i] > 0)) || (panel.log_x && !(x[i] > 0))) continue;
        points.push_back(plot_point(x[i], y[i]));
        if (line.stairs) points.push_back(plot_point(result.columns[line.x + 1].values[i], y[i]));
    }
    return points;
}

/// From the least to the largest value, with a margin on a linear scale.
Axis axis_of(const std::string& label, const std::vector<double>& values, bool logarithmic, double room) {
    if (logarithmic) return around(label, values, 0.1, 1);
    if (values.empty()) return {label, 0, 1, Scale::kLinear};
    const auto [low, high] = std::ranges::minmax(values);
    const double margin = high > low ? room * (high - low) : 0.5 * std::max(std::abs(high), 1e-9);
    return {label, low - margin, high + margin, Scale::kLinear};
}

void plot_cells(const Plot& plot, const AnalysisGrid& grid) {
    const CellScale scale{grid.values};
    for (std::size_t row = 0; row + 1 < grid.y_edges.size(); ++row)
        for (std::size_t column = 0; column + 1 < grid.x_edges.size(); ++column)
            if (const auto color = scale.color(grid.at(column, row)))
                plot.cell(grid.x_edges[column], grid.x_edges[column + 1], grid.y_edges[row], grid.y_edges[row + 1],
                          IM_COL32(color->red, color->green, color->blue, 255));
}

void draw_panel(Widgets& ui, const AnalysisResult& result, const AnalysisPanel& panel) {
    const float width = ImGui::GetContentRegionAvail().x, height = ui.plot_height(kPlotHeight);
    ui.canvas(panel.title, width, height, result.note);
    const ImVec2 at = ImGui::GetItemRectMin();
    std::vector<std::vector<ImVec2>> lines;
    std::vector<double> xs, ys;
    for (const AnalysisLine& line : panel.lines) {
        lines.push_back(points_of(result, panel, line));
        for (const ImVec2& point : lines.back()) xs.push_back(point.x), ys.push_back(point.y);
    }
    if (panel.reference) ys.push_back(*panel.reference);
    if (panel.grid) xs = panel.grid->x_edges, ys = panel.grid->y_edges;
    Axis x = axis_of(panel.x_label, xs, panel.log_x, 0), y = axis_of(panel.y_label, ys, panel.log_y, 0.05);
    if (panel.grid) x.low = xs.front(), x.high = xs.back(), y.low = ys.front(), y.high = ys.back();
    const Plot plot{at, {width, height}, x, y, ui.scale()};
    if (panel.grid) plot_cells(plot, *panel.grid);
    if (panel.reference)
        plot.line(std::array{plot_point(x.low, *panel.reference), plot_point(x.high, *panel.reference)},
                  IM_COL32(128, 128, 128, 255));
    for (const AnalysisContour& contour : panel.contours)
        for (const AnalysisPath& path : contour.paths) {
            std::vector<ImVec2> points;
            for (const AnalysisPoint& point : path) points.push_back(plot_point(point.x, point.y));
            plot.line(points, IM_COL32(255, 255, 255, 160));
        }
    for (std::size_t i = 0; i < lines.size(); ++i) plot.line(lines[i], kPlotColors[i % kPlotColors.size()]);
    if (panel.lines.size() < 2) return;
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(kPlotColors[i % kPlotColors.size()]), "%s",
                           panel.lines[i].label.c_str());
        if (i + 1 < panel.lines.size()) ImGui::SameLine(0, 12 * ui.scale());
    }
}

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
    for (const AnalysisPanel& panel : status.now->panels) draw_panel(ui, *status.now, panel);
    if (status.settings.kind == "groups") group_table(ui, state, *status.now, requests);
    ui.value(
        "Age",
        count_phrase(static_cast<std::uint64_t>(std::max<std::int64_t>(0, state.status.step - status.step)), "step"),
        "Steps since the state shown. Plots are computed in the background, a tenth of the time");
    ui.value("Took", milliseconds_text(status.seconds), "Time that one of these plots takes, in the background");
}

}  // namespace orrery
