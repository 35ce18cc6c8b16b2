// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "app/window/ui_state.hpp"

namespace orrery {

/// Figures of the picked bodies: arrows, the orbit of one, the distance of two, their track as a file.
void sight_lines(Widgets& ui, const UiState& state, UiRequests& requests);

}  // namespace orrery
