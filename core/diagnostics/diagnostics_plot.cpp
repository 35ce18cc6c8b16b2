// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/columns.hpp"
#include "core/plot/plot.hpp"

namespace orrery {
namespace {

// M. Okabe & K. Ito, "Color Universal Design", 2008.
constexpr std::array kColors{"#999999", "#e69f00", "#d55e00", "#cc79a7", "#0072b2", "#009e73"};
static_assert(kColors.size() >= kMassFractions.size());

PlotPanel radii_panel(const NumberTable& table, const std::vector<std::optional<double>>& time) {
    PlotPanel panel{.title = "Lagrangian radii",
                    .x_label = "time of the scene",
                    .y_label = "radius",
                    .curves = {},
                    .marks = {},
                    .reference = std::nullopt,
                    .log_y = true};
    for (std::size_t i = kMassFractions.size(); i-- > 0;) {
        const double percent = 100 * kMassFractions[i];
        const auto radius = table.column(fmt::format("r_{:.0f}", percent));
        PlotCurve curve{
            .label = fmt::format("{:.0f} % of the mass", percent), .color = kColors[i], .dashes = {}, .points = {}};
        for (std::size_t row = 0; row < time.size(); ++row)
            if (radius[row]) curve.points.push_back({*time[row], *radius[row]});
        if (!curve.points.empty()) panel.curves.push_back(std::move(curve));
    }
    return panel;
}

PlotPanel energy_panel(const NumberTable& table, const std::vector<std::optional<double>>& time) {
    PlotCurve curve{.label = "energy", .color = "#0072b2", .dashes = {}, .points = {}};
    std::optional<double> first;
    double most = 0;
    const auto total = table.column("total");
    for (std::size_t row = 0; row < time.size(); ++row) {
        if (!total[row]) continue;
        if (!first) first = total[row];
        const double change = *first != 0 ? (*total[row] - *first) / std::abs(*first) : 0;
        curve.points.push_back({*time[row], change});
        most = std::max(most, std::abs(change));
    }
    const double unit = most > 0 ? std::pow(10.0, std::floor(std::log10(most))) : 1;
    for (PlotPoint& point : curve.points) point.y /= unit;
    PlotPanel panel{.title = "Energy",
                    .x_label = "time of the scene",
                    .y_label = fmt::format("(E - E0) / |E0|, in {:.0e}", unit),
                    .curves = {},
                    .marks = {},
                    .reference = 0};
    if (!curve.points.empty()) panel.curves.push_back(std::move(curve));
    return panel;
}

}  // namespace

std::string plot_diagnostics(const NumberTable& table, const std::string& title, const std::string& note) {
    const auto time = table.column("time");
    std::vector<PlotPanel> panels{radii_panel(table, time), energy_panel(table, time)};
    std::erase_if(panels, [](const PlotPanel& panel) { return panel.curves.empty(); });
    if (panels.empty()) return plot(title, note + "; there is nothing to plot", {PlotPanel{}}, 1);
    return plot(title, note, panels, 2);
}

}  // namespace orrery
