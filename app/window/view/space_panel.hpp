// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

#include "app/window/panels.hpp"
#include "app/window/window_parts.hpp"

namespace orrery {

/// The middle of a periodic box while it is typed.
struct SpaceEdit {
    std::optional<std::string> typed;
};

/// Wrapping, tiles and middle of a periodic box; nothing if the scene has none. Returns whether `view` was edited.
bool space_controls(Widgets& ui, const UiState& state, ViewSettings& view, UiRequests& requests);
/// Puts the selected bodies into the middle of the periodic box and of the picture.
void recentre_on_selection(WindowParts& window, int);

}  // namespace orrery
