// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/analysis/result.hpp"

namespace orrery {

/// Where values that are given in the middles of a grid's cells, and linear between neighbouring middles, have this
/// level: lines in the grid's coordinates, closed ones with their first point again at the end. Cells without a finite
/// value have no line at their corner. Marching squares; at a saddle the mean of the four decides.
std::vector<AnalysisPath> contour_lines(const AnalysisGrid& grid, double level);

/// Levels of which each leaves as much of the grid's area below it as between it and the next: quantiles of its
/// values. Ascending, without repetitions.
std::vector<double> contour_levels(const AnalysisGrid& grid, std::size_t count);

}  // namespace orrery
