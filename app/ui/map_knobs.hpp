// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/config.hpp"

namespace orrery {

/// Map, root if the map takes one, and tile size; returns whether `config` was edited. Used by the Forces and the Maps
/// tab.
bool map_knobs(Widgets& ui, EngineConfig& config);
/// The same for triples of tiles.
bool map3_knobs(Widgets& ui, EngineConfig& config);

}  // namespace orrery
