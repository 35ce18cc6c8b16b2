// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// A line of the menu of panels: a tab of the sidebar. A panel reads a state and returns requests; it has no state of
/// its own.
struct PanelEntry {
    std::string_view id, label;
    void (*draw)(Widgets& ui, const UiState& state, Wishes& wishes);
    std::string_view doc;  ///< its tooltip
};

std::span<const PanelEntry> panels();

// The panels, a file each.
void transport_panel(Widgets& ui, const UiState& state, Wishes& wishes);    ///< pause, step, restart, preset
void performance_panel(Widgets& ui, const UiState& state, Wishes& wishes);  ///< both above the tabs
void engine_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void map_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void scene_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void camera_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void hand_panel(Widgets& ui, const UiState& state, Wishes& wishes);  ///< of the picked bodies
void view_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void lab_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void history_panel(Widgets& ui, const UiState& state, Wishes& wishes);  ///< recent history of the window
void record_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void compare_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void structure_panel(Widgets& ui, const UiState& state, Wishes& wishes);  ///< distribution of the bodies
void energy_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void report_panel(Widgets& ui, const UiState& state, Wishes& wishes);

inline constexpr const char* kSidebar = "sidebar";  ///< its ImGui name
/// Transport and performance on top, the tabs below; at the left edge of the picture.
void sidebar(Widgets& ui, const UiState& state, Wishes& wishes);
float sidebar_width(float scale);  ///< with the gap on its left, in pixels

}  // namespace orrery
