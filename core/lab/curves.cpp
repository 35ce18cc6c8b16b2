// SPDX-License-Identifier: MIT
#include "core/lab/curves.hpp"

#include <algorithm>
#include <string>

namespace orrery {

std::size_t lab_column(const LabTable& table, std::string_view id) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, id) - table.columns.begin());
}

double lab_number(const LabValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole ? static_cast<double>(*whole) : std::get<double>(value);
}

std::vector<PlotPoint>& lab_curve(std::vector<PlotPanel>& panels, const PlotPanel& like, std::string_view label,
                                  std::string_view color) {
    auto panel = std::ranges::find(panels, like.title, &PlotPanel::title);
    if (panel == panels.end()) panel = panels.insert(panels.end(), like);
    auto curve = std::ranges::find(panel->curves, label, &PlotCurve::label);
    if (curve == panel->curves.end())
        curve = panel->curves.insert(panel->curves.end(), {std::string{label}, std::string{color}, "", {}});
    return curve->points;
}

}  // namespace orrery
