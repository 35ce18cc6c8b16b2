// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

// The parts of the transport bar that a series of snapshots has in place of steps and of the rewind timeline.

void series_buttons(Widgets& ui, const UiState& state, Wishes& wishes);
/// All times of the series, with a mark for each snapshot; it can be dragged.
void series_track(Widgets& ui, const UiState& state, float width, float height, Wishes& wishes);

}  // namespace orrery
