// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

/// Of `entry`, an engine with a tree: opening rule and its value, order, sizes of leaves and groups. Whether `config`
/// was edited.
bool tree_knobs(Widgets& ui, EngineConfig& config, const EngineEntry& entry);

}  // namespace orrery
