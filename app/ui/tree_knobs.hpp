// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

/// For `entry`, an engine with a tree: acceptance criterion and its value, order of the expansion, leaf and group
/// sizes. Returns whether `config` was edited.
bool tree_knobs(Widgets& ui, EngineConfig& config, const EngineEntry& entry);

}  // namespace orrery
