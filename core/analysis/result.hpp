// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// Numbers of one quantity, one for each bin, group or body of a result; NaN where there is none.
struct AnalysisColumn {
    std::string name;    ///< of a file's column: "sigma_R"
    std::string symbol;  ///< for people, with its unit: "σ_R [km/s]"
    std::vector<double> values;
};

/// A line of a drawing: columns of the result over one of its columns.
struct AnalysisLine {
    std::string label;
    std::size_t x = 0, y = 0;  ///< indices of columns
    bool stairs = false;       ///< x is the lower edge of an interval, and the column after it the upper one
};

/// Numbers over a plane, in cells between edges; row by row from the lowest y upward.
struct AnalysisGrid {
    std::vector<double> x_edges, y_edges;
    std::vector<double> values;
    std::string value_label;
    double at(std::size_t column, std::size_t row) const { return values[row * (x_edges.size() - 1) + column]; }
};

struct AnalysisPoint {
    double x, y;
    friend bool operator==(const AnalysisPoint&, const AnalysisPoint&) = default;
};

using AnalysisPath = std::vector<AnalysisPoint>;

/// Lines over a plane on which a quantity has one value.
struct AnalysisContour {
    double level = 0;
    std::vector<AnalysisPath> paths;
};

struct AnalysisPanel {
    std::string title, x_label, y_label;
    bool log_x = false, log_y = false;
    std::vector<AnalysisLine> lines = {};
    std::optional<double> reference = {};        ///< a line across at this y
    std::optional<AnalysisGrid> grid = {};       ///< in place of lines
    std::vector<AnalysisContour> contours = {};  ///< of the grid, by level upward
};

/// Bodies that are linked with each other, directly or through others.
struct BodyGroup {
    std::uint32_t first = 0;  ///< least index of its bodies
    std::size_t bodies = 0;
    double mass = 0;
    Vec3d centre{}, velocity{};  ///< of its centre of mass, in the scene's coordinates
    double radius = 0;           ///< root mean square distance from the centre, by mass
    double farthest = 0;         ///< the distance of the body that is farthest from it
    double dispersion = 0;       ///< of velocity in one direction: √(Σ m |v − v̄|² / 3 Σ m)
};

inline constexpr std::uint32_t kNoGroup = 0xffffffff;  ///< of a body that a plot is not of

/// Where the plane of a grid lies in the scene: x and y are unit vectors.
struct AnalysisPlane {
    Vec3d origin, x, y;
};

/// A plot as numbers: what the window draws and what is written as CSV and SVG.
struct AnalysisResult {
    std::string title, note;  ///< what it is of; how it is defined, with the source
    std::vector<AnalysisColumn> columns;
    std::vector<AnalysisPanel> panels;
    std::vector<BodyGroup> groups = {};        ///< of "groups", by mass downward
    std::vector<std::uint32_t> group_of = {};  ///< likewise, of each body of the scene the least index in its group
    double seconds = 0;                        ///< that the search for groups took, without copies to and from a device
    std::size_t bodies = 0;                    ///< that it is of
    std::optional<AnalysisPlane> plane = {};   ///< of "potential"
};

}  // namespace orrery
