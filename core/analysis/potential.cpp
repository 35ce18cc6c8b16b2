// SPDX-License-Identifier: MIT
// The potential in a plane, with contours.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/analysis/analyses.hpp"
#include "core/analysis/bins.hpp"
#include "core/analysis/result.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr int kCellsOfPlane = 64;  // along each side
constexpr std::size_t kLevels = 12;
constexpr double kShareInside = 0.9, kRoom = 1.25;  // the plane extends beyond the sphere with most of the mass

/// Default half-width of the plane; for a single body it follows from the softening, otherwise it is 1.
double reach_of(const Subject& subject) {
    const double reach = kRoom * subject.radius_of(kShareInside, false);
    if (reach > 0) return reach;
    const double softening = subject.scene().gravity.softening;
    return softening > 0 ? 5 * softening : 1;
}

}  // namespace

AnalysisResult potential_in_plane(const Subject& subject, const AnalysisSettings& settings,
                                  const std::stop_token& stop) {
    const double reach = reach_of(subject), low = settings.from.value_or(-reach), high = settings.to.value_or(reach);
    if (!(low < high)) usage_error("potential: from must be below to");
    const auto count = static_cast<std::size_t>(settings.bins > 0 ? settings.bins : kCellsOfPlane);
    const Bins cells{low, high, count, false};
    std::vector<Vec3d> points;
    for (std::size_t row = 0; row < count; ++row)
        for (std::size_t column = 0; column < count; ++column)
            points.push_back({cells.middle(column), cells.middle(row), 0});
    const std::vector<double> potentials = potentials_at(subject, points, stop);
    if (stop.stop_requested()) return {};

    const UnitNames& units = subject.units();
    const std::string x_label = with_unit("x", units.length), y_label = with_unit("y", units.length),
                      depth_label = with_unit("−Φ", units.energy());
    AnalysisGrid grid{cells.edges(), cells.edges(), {}, depth_label};
    AnalysisColumn columns[] = {
        {"x", x_label, {}}, {"y", y_label, {}}, {"potential", with_unit("Φ", units.energy()), {}}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        grid.values.push_back(-potentials[i]);
        columns[0].values.push_back(points[i].x);
        columns[1].values.push_back(points[i].y);
        columns[2].values.push_back(potentials[i]);
    }
    AnalysisResult result{.title = {}, .note = {}, .columns = {}, .panels = {}};
    result.columns.assign(std::begin(columns), std::end(columns));
    AnalysisPanel panel{.title = "Potential in the plane", .x_label = x_label, .y_label = y_label};
    for (const double level : contour_levels(grid, kLevels))
        panel.contours.push_back({level, contour_lines(grid, level)});
    panel.grid = std::move(grid);
    result.panels.push_back(std::move(panel));
    result.plane =
        AnalysisPlane{subject.centre(), subject.direction_in_scene({1, 0, 0}), subject.direction_in_scene({0, 1, 0})};
    return result;
}

}  // namespace orrery
