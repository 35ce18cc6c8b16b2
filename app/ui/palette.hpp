// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/ui_state.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {

/// A command as a line of the palette says it.
struct PaletteCommand {
    CommandCall call;
    std::string does;      ///< "Restart the scene"
    std::string_view key;  ///< as people call it; empty: none
};

/// Something that can be asked for by a part of its name.
struct PaletteLine {
    std::string label;  ///< "Engine: Direct"; differs from all others
    std::string tip;
    std::string aside;    ///< its key, or "in force"
    std::string why_not;  ///< why it cannot be had now; empty: it can
    std::function<void(Wishes&)> ask;
};

/// Commands, pages of the sidebar, engines, thread maps, precisions, integrators, colours, settings by the page that
/// has them, scenes, presets, and files opened before: all that can be asked for in this state.
std::vector<PaletteLine> palette_lines(const UiState& state, std::span<const PaletteCommand> commands);

/// The lines that have every one of these words, in whatever case, those first whose name begins with
/// them, then by the beginnings of words, by the label, by the tip; otherwise in their order. No word: all lines.
std::vector<const PaletteLine*> palette_matches(const std::vector<PaletteLine>& lines, std::string_view words);

/// A field for words with the lines below that have them: arrows choose, Enter asks, Esc closes.
void palette_overlay(Widgets& ui, const UiState& state, std::span<const PaletteCommand> commands, Wishes& wishes);

}  // namespace orrery
