// SPDX-License-Identifier: MIT
#include "core/analysis/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/pool.hpp"
#include "core/selection/body_set.hpp"

namespace orrery {
namespace {

struct LineColors {
    const char *paper, *bright;
};
constexpr std::array kLineColors{
    LineColors{okabe_ito::kBlue, okabe_ito::kSkyBlue}, LineColors{okabe_ito::kVermilion, okabe_ito::kOrange},
    LineColors{okabe_ito::kGreen, okabe_ito::kGreen}, LineColors{okabe_ito::kPurple, okabe_ito::kPurple}};

PlotCurve curve_of(const AnalysisResult& result, const AnalysisLine& line, const LineColors& colors) {
    PlotCurve curve{.label = line.label, .color = colors.paper, .dashes = {}, .points = {}, .bright = colors.bright};
    const std::vector<double>&x = result.columns[line.x].values, &y = result.columns[line.y].values;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
        curve.points.push_back({x[i], y[i]});
        if (line.stairs) curve.points.push_back({result.columns[line.x + 1].values[i], y[i]});
    }
    return curve;
}

}  // namespace

std::string analysis_csv(const AnalysisResult& result) {
    std::string text;
    for (const AnalysisColumn& column : result.columns) text += (text.empty() ? "" : ",") + column.name;
    text += '\n';
    const std::size_t rows = result.columns.empty() ? 0 : result.columns.front().values.size();
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < result.columns.size(); ++i) {
            const double value = result.columns[i].values[row];
            if (i > 0) text += ',';
            if (std::isfinite(value)) text += fmt::format("{}", value);
        }
        text += '\n';
    }
    return text;
}

std::vector<PlotPanel> analysis_plots(const AnalysisResult& result) {
    std::vector<PlotPanel> panels;
    for (const AnalysisPanel& from : result.panels) {
        PlotPanel panel{.title = from.title,
                        .x_label = from.x_label,
                        .y_label = from.y_label,
                        .curves = {},
                        .marks = {},
                        .reference = from.reference,
                        .log_x = from.log_x,
                        .log_y = from.log_y,
                        .x_from_zero = false};
        for (const AnalysisLine& line : from.lines)
            panel.curves.push_back(curve_of(result, line, kLineColors[panel.curves.size() % kLineColors.size()]));
        for (const AnalysisContour& contour : from.contours)
            for (const AnalysisPath& path : contour.paths)
                panel.curves.push_back(
                    {.label = {}, .color = "#ffffff", .dashes = {}, .points = path, .width = 1, .bright = "#ffffffa0"});
        for (const AnalysisPath& path : from.arrows)
            panel.curves.push_back(
                {.label = {}, .color = "#ffffff", .dashes = {}, .points = path, .width = 1.2, .bright = "#ffffffd0"});
        panel.cells = from.grid;
        panels.push_back(std::move(panel));
    }
    return panels;
}

namespace {

/// Index of the interval between ascending edges that contains a value; empty if none does.
std::optional<std::size_t> interval_of(const std::vector<double>& edges, double value) {
    if (edges.size() < 2 || !(value >= edges.front() && value <= edges.back())) return std::nullopt;
    const auto after = std::ranges::upper_bound(edges, value);
    return std::min(static_cast<std::size_t>(after - edges.begin()), edges.size() - 1) - 1;
}

}  // namespace

PlotPanel with_selected(PlotPanel panel, const AnalysisResult& result, std::span<const std::uint32_t> selected) {
    if (!result.plotted || selected.empty()) return panel;
    const PlottedBodies& bodies = *result.plotted;
    std::vector<std::uint8_t> chosen;
    for (const std::uint32_t row : selected) {
        if (row >= chosen.size()) chosen.resize(row + std::size_t{1});
        chosen[row] = 1;
    }
    const auto is_chosen = [&](std::size_t i) { return bodies.row(i) < chosen.size() && chosen[bodies.row(i)] != 0; };
    if (panel.cells) {
        panel.cells->lit.assign(panel.cells->values.size(), 0);
        const std::size_t columns = panel.cells->x_edges.size() - 1;
        for (std::size_t i = 0; i < bodies.x.size(); ++i) {
            if (!is_chosen(i)) continue;
            const auto column = interval_of(panel.cells->x_edges, bodies.x[i]);
            const auto row = interval_of(panel.cells->y_edges, bodies.y[i]);
            if (column && row) panel.cells->lit[*row * columns + *column] = 1;
        }
        return panel;
    }
    const std::vector<AnalysisLine>& lines = result.panels.front().lines;
    if (lines.empty() || !lines.front().stairs) return panel;
    std::vector<double> edges = result.columns[0].values;
    if (edges.empty()) return panel;
    edges.push_back(result.columns[1].values.back());
    std::vector<double> sums(edges.size() - 1);
    for (std::size_t i = 0; i < bodies.x.size(); ++i)
        if (const auto at = is_chosen(i) ? interval_of(edges, bodies.x[i]) : std::nullopt)
            sums[*at] += bodies.weights.empty() ? 1 : static_cast<double>(bodies.weights[i]);
    PlotCurve curve{.label = "selected", .color = okabe_ito::kVermilion, .dashes = {}, .points = {}};
    curve.bright = okabe_ito::kOrange;
    for (std::size_t k = 0; k < sums.size(); ++k)
        curve.points.push_back({edges[k], sums[k]}), curve.points.push_back({edges[k + 1], sums[k]});
    panel.curves.push_back(std::move(curve));
    return panel;
}

std::vector<std::uint32_t> bodies_within(const AnalysisResult& result, const std::vector<PlotPoint>& line) {
    if (!result.plotted || line.empty()) return {};
    const PlottedBodies& bodies = *result.plotted;
    const bool log_x = result.panels.front().log_x, log_y = result.panels.front().log_y;
    const auto on_axis = [](double value, bool logarithmic) { return logarithmic ? std::log10(value) : value; };
    const auto [first, last] = std::ranges::minmax(line, {}, &PlotPoint::x);
    std::vector<OutlinePoint> corners;
    for (const PlotPoint& point : line) corners.push_back({point.x, point.y});
    const Outline outline{corners};
    Pool pool{0, false};
    const auto inside = [&, low = first.x, high = last.x](std::size_t i) {
        const double x = on_axis(bodies.x[i], log_x);
        return bodies.y.empty() ? x >= low && x <= high : outline.holds(x, on_axis(bodies.y[i], log_y));
    };
    std::vector<std::uint32_t> found = BodySet::where(pool, bodies.x.size(), inside).rows();
    for (std::uint32_t& row : found) row = bodies.row(row);
    return found;
}

std::string analysis_svg(const AnalysisResult& result, const std::string& title) {
    return plot(title, result.note, analysis_plots(result), 2);
}

}  // namespace orrery
