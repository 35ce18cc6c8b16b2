// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "core/analysis/result.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// The columns under a head of their names, a row for each bin or group (RFC 4180); no number: an empty cell.
std::string analysis_csv(const AnalysisResult& result);
/// Its panels as a picture on white.
std::string analysis_svg(const AnalysisResult& result, const std::string& title);

}  // namespace orrery
