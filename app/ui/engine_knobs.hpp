// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "app/ui/widgets.hpp"
#include "core/engines/engine.hpp"

namespace orrery {

/// The line of the menu for an engine on a backend; null when there is none in this build.
const EngineEntry* engine_entry(std::string_view id, Backend backend);
/// Engine, backend and precision. Like all knobs, returns whether `config` was edited.
bool engine_combos(Widgets& ui, EngineConfig& config);
/// What the engine chosen reads besides: tiles, maps, the tree.
bool engine_knobs(Widgets& ui, EngineConfig& config);

}  // namespace orrery
