// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "app/ui/panels.hpp"
#include "app/ui/widgets.hpp"
#include "app/window/ui_state.hpp"

namespace orrery {

/// The scene's units, for the figures of the panels.
inline SceneUnits units_of(const Status& status) {
    return {status.scene.length_unit, status.scene.mass_unit, status.scene.days_per_time,
            peculiar_factor(status.scene.cosmology, status.scene.expansion)};
}
std::string drift_text(const Conservation& lost);  ///< advice when energy is not conserved

// The settings of an engine, for several panels. Each returns whether `config` was edited.
bool engine_combos(Widgets& ui, EngineConfig& config);  ///< engine, backend and precision
bool engine_knobs(Widgets& ui, EngineConfig& config);   ///< the other settings of the engine: tiles, maps, the tree

/// The fold for the rarely used controls at the end of a page; open or closed for each page, also in later sessions.
/// Returns whether it is open.
bool advanced(Widgets& ui, std::string_view page, const UiState& state, UiRequests& requests);

inline constexpr const char* kSidebar = "sidebar";  ///< ImGui name
/// At the left edge of the picture: the groups on top, and the pages of the open group below. While no page is open,
/// only the groups.
void sidebar(Widgets& ui, const UiState& state, UiRequests& requests);
/// Width in pixels, with the gap on the left; 0 while no page is open or panels are hidden.
float sidebar_width(const UiState& state, float scale);
/// Height in pixels of the groups while no page is open, with the gap above; otherwise 0.
float groups_height(const UiState& state, float scale);
/// Right edge in pixels while no page is open; otherwise 0.
float groups_width(const UiState& state, float scale);

}  // namespace orrery
