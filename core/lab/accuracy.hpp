// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/lab/experiments.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// Of the table of the experiment `accuracy`: for each engine and number of bodies the error over the accuracy asked
/// for, and the time, a curve per preset.
std::vector<PlotPanel> accuracy_panels(const LabTable& table);

}  // namespace orrery
