// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/config.hpp"

namespace orrery {

/// Map, root where the map takes one, and side of a tile; whether `config` was edited. The Forces and the Maps tab both
/// have them.
bool map_knobs(Widgets& ui, EngineConfig& config);
/// The same of triples of tiles.
bool map3_knobs(Widgets& ui, EngineConfig& config);

}  // namespace orrery
