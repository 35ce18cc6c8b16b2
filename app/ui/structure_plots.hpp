// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// An entry of the menu of plots in the Structure tab.
struct StructurePlotEntry {
    std::string_view id, label;
    void (*draw)(Widgets& ui, const UiState& state);
    std::string_view doc;  ///< its tooltip
};

std::span<const StructurePlotEntry> structure_plots();

}  // namespace orrery
