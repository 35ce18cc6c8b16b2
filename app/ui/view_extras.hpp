// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

// Parts of the View tab. Each returns whether `view` was edited.
bool exposure_controls(Widgets& ui, const UiState& state, ViewSettings& view);
bool trail_and_star_controls(Widgets& ui, TrailView& trails, StarView& stars);
bool guide_controls(Widgets& ui, GuideView& guides);

}  // namespace orrery
