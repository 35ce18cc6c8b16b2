// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/report.hpp"

namespace orrery {

/// What an engine measured of its last evaluation: its phases as a stacked bar, interactions, and its tree; nothing for
/// engines that measure nothing.
void engine_figures(Widgets& ui, const EngineReport& report);

}  // namespace orrery
