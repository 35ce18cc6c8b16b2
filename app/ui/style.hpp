// SPDX-License-Identifier: MIT
#pragma once
struct ImFont;
struct ImFontAtlas;

namespace orrery {

inline constexpr double kLeastTextScale = 0.6, kMostTextScale = 2.5;

struct Fonts {
    ImFont* text = nullptr;
    ImFont* large = nullptr;  ///< for figures that are read from afar
};

/// The window's letters, of any height in pixels, for another list of glyphs than the window's.
ImFont* add_text_font(ImFontAtlas& atlas, float pixels);

/// Sets colours, spacing and fonts for a screen of this scale. Needs an ImGui context, before its first frame.
Fonts apply_style(float scale);

}  // namespace orrery
