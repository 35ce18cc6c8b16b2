// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

// Parts of the transport bar for a series of snapshots, in place of the step buttons and the rewind timeline.

void series_buttons(Widgets& ui, const UiState& state, UiRequests& requests);
/// All times of the series, with a mark for each snapshot; can be dragged.
void series_track(Widgets& ui, const UiState& state, float width, float height, UiRequests& requests);

}  // namespace orrery
