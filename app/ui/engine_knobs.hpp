// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/config.hpp"

namespace orrery {

/// Engine, backend and precision. Like all knobs, returns whether `config` was edited.
bool engine_combos(Widgets& ui, EngineConfig& config);
/// The other settings of the chosen engine: tiles, maps, the tree.
bool engine_knobs(Widgets& ui, EngineConfig& config);

}  // namespace orrery
