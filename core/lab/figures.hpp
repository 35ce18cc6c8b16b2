// SPDX-License-Identifier: MIT
// Plots of the laboratory's tables: I over N, laid out like figures 3 and 5 of the papers, and error and time.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lab/experiments.hpp"
#include "core/lab/launch_variants.hpp"
#include "core/maps/picture.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

struct LabFigure {
    std::string file;  ///< "figure-3.svg"
    std::string svg;
};

/// The figures for which the tables, each with the id of its experiment, have data.
std::vector<LabFigure> lab_figures(std::span<const std::pair<std::string, const LabTable*>> tables,
                                   const std::string& device);

/// I over N for one number of dimensions (0: the experiment has none).
struct LabPanel {
    std::int64_t dimensions = 0;
    PlotPanel plot;
};
/// One panel for each number of dimensions in the table, in order, each with the papers' values; empty if the table has
/// no I.
std::vector<LabPanel> lab_panels(const LabEntry& entry, const LabTable& table);
/// All panels of one experiment as SVG text.
std::string lab_figure(std::span<const LabPanel> panels, const std::string& device);

/// The tiles per block with which a form in strips was the fastest at one size.
struct FastestStrip {
    std::string map;
    std::int64_t bodies = 0, dimensions = 0, strip = 0;
    double improvement = 0;
};
/// For each form, number of dimensions and number of bodies with at least two verified strips, in table order.
std::vector<FastestStrip> fastest_strips(const LabTable& table);

// core/lab/accuracy.cpp
/// Panels from the table of experiment `accuracy`: for each engine and number of bodies, time and error / accuracy over
/// the requested accuracy, with a curve per preset.
std::vector<PlotPanel> accuracy_panels(const LabTable& table);
/// Panels from the table of experiment `orders`: for each number of bodies, error and time over the order of the
/// expansions, with a curve per opening angle.
std::vector<PlotPanel> order_panels(const LabTable& table);

// Points of such panels, row by row from a table.

/// Index of a column; the number of columns if there is none with this name.
std::size_t lab_column(const LabTable& table, std::string_view id);

/// A number of a table, measured or read from a CSV file, where whole numbers have become integers.
double lab_number(const LabValue& value);

/// The points of the curve with this label in the panel that has the title of `like`. Appends panel and curve if
/// missing.
std::vector<PlotPoint>& lab_curve(std::vector<PlotPanel>& panels, const PlotPanel& like, std::string_view label,
                                  std::string_view color);

// Drawing of a map of the 4-simplex: its layers of equal l from left to right, each a tetrahedron in space.

/// The layers, with a gap between two. `block` of a face counts the blocks of all launches; for the hypercube it counts
/// the idle ones too.
struct Map4Picture {
    CubeDrawing drawing;
    std::uint32_t blocks = 0;  ///< launched
};
/// `form`: one of quadruples that is exact for `side` layers.
Map4Picture map4_picture(FormChoice form, std::uint32_t side);

/// The picture as an SVG figure on white. A cube's colour goes from blue to red with the index of its block.
std::string map4_svg(const Map4Picture& picture, std::string_view title);

}  // namespace orrery
