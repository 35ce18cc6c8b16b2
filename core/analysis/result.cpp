// SPDX-License-Identifier: MIT
#include "core/analysis/result.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

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
        panel.cells = from.grid;
        panels.push_back(std::move(panel));
    }
    return panels;
}

std::string analysis_svg(const AnalysisResult& result, const std::string& title) {
    return plot(title, result.note, analysis_plots(result), 2);
}

}  // namespace orrery
