// SPDX-License-Identifier: MIT
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "app/ui/panels.hpp"
#include "app/window/commands.hpp"

namespace orrery {

/// What the window lists of a feature. A feature is a folder, which defines its entry, and a line in features.cpp.
struct FeatureEntry {
    std::span<const PanelEntry> panels{};  ///< its pages of the sidebar
    std::span<const WindowCommand> commands{};
    void (*describe)(nlohmann::json& map, const UiState& state) = nullptr;  ///< adds its keys to the UI map
};

/// In the order of their pages.
std::span<const FeatureEntry> features();

}  // namespace orrery
