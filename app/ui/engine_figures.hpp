// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/report.hpp"

namespace orrery {

/// Measurements of the last evaluation: phases as a stacked bar, interactions, and the tree; nothing for engines
/// without them.
void engine_figures(Widgets& ui, const EngineReport& report);

}  // namespace orrery
