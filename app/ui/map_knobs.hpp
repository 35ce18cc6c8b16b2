// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/config.hpp"

namespace orrery {

/// Knobs of the Maps tab, for the half matrix, or for triples if the engine walks those: map, root if the map takes
/// one, and tile size. Returns whether `config` was edited.
bool map_knobs(Widgets& ui, EngineConfig& config);

}  // namespace orrery
