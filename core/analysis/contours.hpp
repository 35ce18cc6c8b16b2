// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/analysis/result.hpp"

namespace orrery {

/// Lines of constant value, in the grid's coordinates, of a function given at the cell centres and linear between
/// neighbouring centres. Closed lines repeat their first point at the end. There are no lines next to cells without a
/// finite value. Marching squares; at a saddle the mean of the four corners decides.
std::vector<AnalysisPath> contour_lines(const AnalysisGrid& grid, double level);

/// Levels that divide the grid's cells into parts of equal area: quantiles of its values. Ascending, without
/// duplicates.
std::vector<double> contour_levels(const AnalysisGrid& grid, std::size_t count);

}  // namespace orrery
