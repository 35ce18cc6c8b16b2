// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "core/engines/engine.hpp"

namespace orrery {

/// Opening rule and its value, order, sizes of leaves and groups; whether `config` was edited. Of engines with a tree.
bool tree_knobs(Widgets& ui, EngineConfig& config);

}  // namespace orrery
