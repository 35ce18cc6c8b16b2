// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/vec.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// Values of one quantity, one per bin, group or body of a result; NaN if undefined.
struct AnalysisColumn {
    std::string name;    ///< column name in files: "sigma_R"
    std::string symbol;  ///< label with unit: "σ_R [km/s]"
    std::vector<double> values;
};

/// A line of a panel: one column of the result over another.
struct AnalysisLine {
    std::string label;
    std::size_t x = 0, y = 0;  ///< indices of columns
    bool stairs = false;       ///< x is the lower edge of an interval, and the column after it the upper one
};

using AnalysisPath = std::vector<PlotPoint>;

/// Lines on which a quantity has a constant value.
struct AnalysisContour {
    double level = 0;
    std::vector<AnalysisPath> paths;
};

struct AnalysisPanel {
    std::string title, x_label, y_label;
    bool log_x = false, log_y = false;
    std::vector<AnalysisLine> lines = {};
    std::optional<double> reference = {};        ///< a line across at this y
    std::optional<PlotCells> grid = {};          ///< in place of lines
    std::vector<AnalysisContour> contours = {};  ///< of the grid, by ascending level
    std::vector<AnalysisPath> arrows = {};       ///< over the grid, each with its head
};

/// Bodies linked with each other directly or through others.
struct BodyGroup {
    std::uint32_t first = 0;  ///< smallest index of its bodies
    std::size_t bodies = 0;
    double mass = 0;
    Vec3d centre{}, velocity{};  ///< of its centre of mass, in the scene's coordinates
    double radius = 0;           ///< root mean square distance from the centre, mass-weighted
    double farthest = 0;         ///< distance of the farthest body from the centre
    double dispersion = 0;       ///< velocity dispersion in one direction: √(Σ m |v − v̄|² / 3 Σ m)
};

inline constexpr std::uint32_t kNoGroup = 0xffffffff;  ///< for bodies that are not part of the plot

/// The plane of a grid in the scene: x and y are unit vectors.
struct AnalysisPlane {
    Vec3d origin, x, y;
};

/// The bodies of a plot on its axes, so that a line drawn in the plot can select bodies, and selected bodies can be
/// shown in it.
struct PlottedBodies {
    std::vector<double> x, y;         ///< values on the axes, NaN: none; y is empty for intervals of x
    std::vector<std::uint32_t> rows;  ///< indices in the scene; empty: all bodies in order
    std::vector<float> weights;       ///< empty: bodies are counted

    std::uint32_t row(std::size_t i) const { return rows.empty() ? static_cast<std::uint32_t>(i) : rows[i]; }
};

/// A plot as numbers, from which the window draws it and CSV and SVG are written.
struct AnalysisResult {
    std::string title, note;  ///< subject; definition with its source
    std::vector<AnalysisColumn> columns;
    std::vector<AnalysisPanel> panels;
    std::vector<BodyGroup> groups = {};        ///< for "groups", by descending mass
    std::vector<std::uint32_t> group_of = {};  ///< for "groups": smallest index in the group of each body
    double seconds = 0;      ///< of the search for groups or the count of tuples, without copies to and from a device
    std::size_t bodies = 0;  ///< number of bodies in the plot
    std::optional<AnalysisPlane> plane = {};            ///< for "potential"
    std::shared_ptr<const PlottedBodies> plotted = {};  ///< for histograms and profiles; null: no bodies are selectable
};

/// Lines of constant value, in the grid's coordinates, of a function given at the cell centres and linear between
/// neighbouring centres. Closed lines repeat their first point at the end. There are no lines next to cells without a
/// finite value. Marching squares; at a saddle the mean of the four corners decides.
std::vector<AnalysisPath> contour_lines(const PlotCells& grid, double level);

/// Levels that divide the grid's cells into parts of equal area: quantiles of its values. Ascending, without
/// duplicates.
std::vector<double> contour_levels(const PlotCells& grid, std::size_t count);

/// The columns below their names, a row for each bin or group (RFC 4180); NaN becomes an empty cell.
std::string analysis_csv(const AnalysisResult& result);
/// The panels, to be drawn or written as SVG.
std::vector<PlotPanel> analysis_plots(const AnalysisResult& result);
/// The panel of such a plot with the selected bodies of the scene: as a further stairs line, or as lit cells.
PlotPanel with_selected(PlotPanel panel, const AnalysisResult& result, std::span<const std::uint32_t> selected);
/// The bodies of the scene within a closed line in the panel's coordinates; on a logarithmic axis these are logarithms
/// to base 10. In a plot of intervals of x, the bodies between the ends of the line in x. Ascending.
std::vector<std::uint32_t> bodies_within(const AnalysisResult& result, const std::vector<PlotPoint>& line);
std::string analysis_svg(const AnalysisResult& result, const std::string& title);

}  // namespace orrery
