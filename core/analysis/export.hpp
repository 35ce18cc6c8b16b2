// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "core/analysis/result.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// The columns below their names, a row for each bin or group (RFC 4180); NaN becomes an empty cell.
std::string analysis_csv(const AnalysisResult& result);
/// The panels as an SVG figure on white.
std::string analysis_svg(const AnalysisResult& result, const std::string& title);

}  // namespace orrery
