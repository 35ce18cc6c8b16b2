// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// What somebody wants who opens the sidebar.
enum class PanelGroup : std::uint8_t { kScene, kLook, kMeasure, kCompute };

struct PanelGroupEntry {
    PanelGroup group;
    std::string_view label, doc;
};

/// A line of the menu of panels: a page of the sidebar. A panel reads a state and returns requests; it has no state of
/// its own.
struct PanelEntry {
    std::string_view id;
    PanelGroup group;
    std::string_view label;
    void (*draw)(Widgets& ui, const UiState& state, Wishes& wishes);
    std::string_view doc;  ///< its tooltip
};

std::span<const PanelEntry> panels();
PanelGroup group_of(std::string_view panel);  ///< of an id of panels()
std::string_view label_of(PanelGroup group);

// The panels, a file each.
void engine_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void map_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void scene_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void camera_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void hand_panel(Widgets& ui, const UiState& state, Wishes& wishes);        ///< of the picked bodies
void encounters_panel(Widgets& ui, const UiState& state, Wishes& wishes);  ///< merging, bouncing, accretion
void view_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void lab_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void history_panel(Widgets& ui, const UiState& state, Wishes& wishes);  ///< present figures, and their recent history
void performance_figures(Widgets& ui, const UiState& state);            ///< the former
void record_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void compare_panel(Widgets& ui, const UiState& state, Wishes& wishes);
void plots_panel(Widgets& ui, const UiState& state, Wishes& wishes);      ///< profiles, histograms, groups
void structure_panel(Widgets& ui, const UiState& state, Wishes& wishes);  ///< distribution of the bodies
void energy_panel(Widgets& ui, const UiState& state, Wishes& wishes);
std::string drift_text(const Conservation& lost);  ///< of an energy that is not kept: what to do
void report_panel(Widgets& ui, const UiState& state, Wishes& wishes);

inline constexpr const char* kSidebar = "sidebar";  ///< its ImGui name
/// Groups on top, the pages of the one that is open below; at the left edge of the picture. While no page is open only
/// the groups.
void sidebar(Widgets& ui, const UiState& state, Wishes& wishes);
/// With the gap on its left, in pixels; 0 while no page is open, or panels are hidden.
float sidebar_width(const UiState& state, float scale);
/// Of the groups by themselves, with the gap above, in pixels; 0 otherwise.
float groups_height(const UiState& state, float scale);
/// Its right edge while no page is open, in pixels; else 0.
float groups_width(const UiState& state, float scale);

}  // namespace orrery
