// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/widgets.hpp"
#include "app/window/ui_state.hpp"

namespace orrery {

/// A command as shown in the palette.
struct PaletteCommand {
    CommandCall call;
    std::string does;      ///< "Restart the scene"
    std::string_view key;  ///< as displayed; empty: none
};

/// An entry that is found by a part of its name.
struct PaletteLine {
    std::string label;  ///< "Engine: Direct"; differs from all others
    std::string tip;
    std::string aside;    ///< its key, or "in force"
    std::string why_not;  ///< why it is unavailable; empty if it is available
    std::function<void(UiRequests&)> ask;
};

/// Commands, pages of the sidebar, engines, thread maps, precisions, integrators, colours, settings with their page,
/// scenes, presets and recent files: everything available in this state.
std::vector<PaletteLine> palette_lines(const UiState& state, std::span<const PaletteCommand> commands);

/// The lines that contain all of these words, in the displayed language or in English, ignoring case: first those whose
/// name begins with them, then by the beginnings of words, by the label, by the tip; otherwise in their order. Without
/// words: all lines.
std::vector<const PaletteLine*> palette_matches(const std::vector<PaletteLine>& lines, std::string_view words);

/// The commands of the window for its palette, once for each argument, except those that choose an engine, which the
/// palette lists by name, and the palette itself.
std::vector<PaletteCommand> palette_commands();

}  // namespace orrery
