// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/lab/experiments.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// Panels from the table of experiment `orders`: for each number of bodies, error and time over the order of the
/// expansions, with a curve per opening angle.
std::vector<PlotPanel> order_panels(const LabTable& table);

}  // namespace orrery
