// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/widgets.hpp"
#include "app/window/ui_state.hpp"

namespace orrery {

// Parts of the Body tab.

ButtonFace tool_face(EditKind kind);  ///< the icon of what adds or pushes bodies

void brushes(Widgets& ui, HandTool& tool);                                                  ///< the force brush
void pick_species(Widgets& ui, const UiState& state, UiRequests& requests);                 ///< picks one species
void pins_and_names(Widgets& ui, const UiState& state, float width, UiRequests& requests);  ///< of the picked bodies

}  // namespace orrery
