// SPDX-License-Identifier: MIT
// Panels of a plot, filled row by row from a table of the laboratory.
#pragma once
#include <string_view>
#include <vector>

#include "core/lab/experiments.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// Index of a column; the number of columns if the table has none of that name.
std::size_t lab_column(const LabTable& table, std::string_view id);

/// A number of a table, whether measured or read from a CSV file, where a whole one has become an integer.
double lab_number(const LabValue& value);

/// The points of the curve with this label in the panel of `like`'s title. Both are appended where they are not yet.
std::vector<PlotPoint>& lab_curve(std::vector<PlotPanel>& panels, const PlotPanel& like, std::string_view label,
                                  std::string_view color);

}  // namespace orrery
