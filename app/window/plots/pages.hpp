// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "app/window/panels.hpp"

namespace orrery {

void energy_panel(Widgets& ui, const UiState& state, UiRequests& requests);
void structure_panel(Widgets& ui, const UiState& state, UiRequests& requests);  ///< distribution of the bodies
void history_panel(Widgets& ui, const UiState& state, UiRequests& requests);    ///< current and recent figures

/// An entry of the menu of plots on the page Structure.
struct StructurePlotEntry {
    std::string_view id, label;
    void (*draw)(Widgets& ui, const UiState& state);
    std::string_view doc;  ///< its tooltip
};

std::span<const StructurePlotEntry> structure_plots();

}  // namespace orrery
