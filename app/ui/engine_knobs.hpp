// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/config.hpp"

namespace orrery {

/// Engine, backend and precision. Like all knobs, returns whether `config` was edited.
bool engine_combos(Widgets& ui, EngineConfig& config);
/// What the engine chosen reads besides: tiles, maps, the tree.
bool engine_knobs(Widgets& ui, EngineConfig& config);

}  // namespace orrery
