// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/config.hpp"

namespace orrery {

/// Of the half matrix, or of triples where the engine walks those, for the Maps tab: map, root where the map takes one,
/// and side of a tile; whether `config` was edited.
bool map_knobs(Widgets& ui, EngineConfig& config);

}  // namespace orrery
