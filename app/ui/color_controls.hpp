// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// Colour quantity, colour map and range. Returns whether `view` was edited.
bool color_controls(Widgets& ui, const UiState& state, ViewSettings& view);

SceneUnits units_of(const Status& status);

}  // namespace orrery
