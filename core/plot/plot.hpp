// SPDX-License-Identifier: MIT
// Curves over x as SVG text, panels side by side, with one legend.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace orrery {

struct PlotPoint {
    double x, y;
};
struct PlotCurve {
    std::string label;   ///< empty: not in the legend
    std::string color;   ///< "#rrggbb"
    std::string dashes;  ///< "6 3"; empty: a solid line
    std::vector<PlotPoint> points;
    double width = 2;  ///< of the line
};
/// A published value: a short line at the right edge, with a label.
struct PlotMark {
    double y;
    std::string label, color;
};
/// Values on a grid, by colour: those above 0, on a logarithmic scale. Row by row from the lowest y upward.
struct PlotCells {
    std::vector<double> x_edges, y_edges;
    std::vector<double> values;
    std::string label;  ///< of the colour bar
};
struct PlotPanel {
    std::string title, x_label, y_label;
    std::vector<PlotCurve> curves;
    std::vector<PlotMark> marks;
    std::optional<double> reference = 1;  ///< a line across at this y
    bool log_x = false, log_y = false;    ///< logarithmic: values not above 0 are omitted
    std::vector<double> y_shown = {};     ///< values that the y axis includes in any case
    bool x_from_zero = true;              ///< a linear x axis includes 0
    std::optional<PlotCells> cells = {};  ///< below curves; both axes then end at their edges
};

/// Panels in rows of `across` below a title and a note; the legend lists every label once.
std::string plot(const std::string& title, const std::string& note, const std::vector<PlotPanel>& panels,
                 std::size_t across);

}  // namespace orrery
