// SPDX-License-Identifier: MIT
// Adds points to the panels of a plot, row by row from a table of the laboratory.
#pragma once
#include <string_view>
#include <vector>

#include "core/lab/experiments.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// Index of a column; the number of columns if there is none with this name.
std::size_t lab_column(const LabTable& table, std::string_view id);

/// A number of a table, measured or read from a CSV file, where whole numbers have become integers.
double lab_number(const LabValue& value);

/// The points of the curve with this label in the panel that has the title of `like`. Appends panel and curve if
/// missing.
std::vector<PlotPoint>& lab_curve(std::vector<PlotPanel>& panels, const PlotPanel& like, std::string_view label,
                                  std::string_view color);

}  // namespace orrery
