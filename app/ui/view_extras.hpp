// SPDX-License-Identifier: MIT
#pragma once
#include "app/render/settings_of_view.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

using ViewControls = SettingControls<ViewSettings>;

// Parts of the View tab.
/// Automatic exposure, and the setting that replaces it. Returns whether `view` was edited.
bool white_controls(Widgets& ui, const UiState& state, ViewSettings& view);
void trail_and_star_controls(ViewControls& controls);
/// A toggle for each species of the scene; if it has none and some are hidden, a note that all bodies are drawn.
void species_controls(Widgets& ui, const UiState& state, const ViewSettings& view, ViewControls& controls);
void guide_controls(ViewControls& controls);

}  // namespace orrery
