// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

// Parts of the Body tab.

void brushes(Widgets& ui, HandTool& tool);                                            ///< the force brush
void pick_species(Widgets& ui, const UiState& state, Wishes& wishes);                 ///< all bodies of one
void pins_and_names(Widgets& ui, const UiState& state, float width, Wishes& wishes);  ///< of what is picked

}  // namespace orrery
