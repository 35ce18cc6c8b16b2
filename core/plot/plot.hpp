// SPDX-License-Identifier: MIT
// A plot as a plain value, and as SVG text; app/ui/plot.hpp draws the same value in the window.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plot/scales.hpp"

namespace orrery {

// M. Okabe & K. Ito, "Color Universal Design", 2008: distinguishable with colour blindness. Blue is for white paper,
// sky blue and yellow are for a dark ground.
namespace okabe_ito {
inline constexpr const char *kOrange = "#e69f00", *kSkyBlue = "#56b4e9", *kGreen = "#009e73", *kYellow = "#f0e442",
                            *kBlue = "#0072b2", *kVermilion = "#d55e00", *kPurple = "#cc79a7";
}  // namespace okabe_ito

enum class Marker { kNone, kCircle, kSquare, kDiamond };

struct PlotPoint {
    double x, y;
    friend bool operator==(const PlotPoint&, const PlotPoint&) = default;
};
struct PlotCurve {
    std::string label;   ///< empty: not in the legend
    std::string color;   ///< "#rrggbb"
    std::string dashes;  ///< "6 3"; empty: a solid line
    std::vector<PlotPoint> points;
    double width = 2;  ///< of the line
    // In the window:
    std::string name = {};          ///< short label; empty: `label`
    std::string bright = {};        ///< "#rrggbb" or "#rrggbbaa" for a dark ground; empty: `color`
    Marker marker = Marker::kNone;  ///< at each point
    bool joined = true;             ///< by a line
};
/// A published value: a short line at the right edge, with a label.
struct PlotMark {
    double y;
    std::string label, color;
};
/// Values on a grid, by colour, on a logarithmic or linear scale, see CellScale. Row by row from the lowest y upward.
struct PlotCells {
    std::vector<double> x_edges, y_edges;
    std::vector<double> values;
    std::string label;  ///< of the colour bar
    bool linear = false;
    std::vector<std::uint8_t> lit = {};  ///< per cell, 1: others are drawn dim in the window; empty: all are lit
    double at(std::size_t column, std::size_t row) const { return values[row * (x_edges.size() - 1) + column]; }
};
struct PlotPanel {
    std::string title, x_label, y_label;
    std::vector<PlotCurve> curves;
    std::vector<PlotMark> marks;
    std::optional<double> reference = 1;   ///< a line across at this y
    bool log_x = false, log_y = false;     ///< logarithmic: values not above 0 are omitted
    std::vector<double> y_shown = {};      ///< values that the y axis includes in any case
    bool x_from_zero = true;               ///< a linear x axis includes 0, unless the ends of the axis are given
    std::optional<PlotCells> cells = {};   ///< below curves; both axes then end at their edges
    std::vector<double> levels = {};       ///< further lines across, in grey
    std::optional<PlotRange> x_ends = {};  ///< of the x axis, in place of those of the values
    PlotRange y_if_empty{0.1, 1};          ///< of the y axis in the window, while there are no values
};

/// Panels as SVG in rows of `across` below a title and a note; the legend lists every label once.
std::string plot(const std::string& title, const std::string& note, const std::vector<PlotPanel>& panels,
                 std::size_t across);

}  // namespace orrery

namespace orrery::svg {

// Parts of SVG figures that plots and tables share.

inline constexpr double kFont = 15;  ///< pixels

/// A text with the characters that XML reserves replaced.
std::string escaped(std::string_view text);
/// The begin of a figure on white paper, pixels; the caller appends "</svg>".
std::string begin(double width, double height);
/// A line of text. `anchor`: start, middle or end. `more`: further attributes, with a blank before each.
std::string text(double x, double y, std::string_view anchor, const std::string& words, double size = kFont,
                 std::string_view more = "");

}  // namespace orrery::svg
