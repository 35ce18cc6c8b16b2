// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/lab/experiments.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// Panels from the table of experiment `accuracy`: for each engine and number of bodies, time and error / accuracy over
/// the requested accuracy, with a curve per preset.
std::vector<PlotPanel> accuracy_panels(const LabTable& table);

}  // namespace orrery
