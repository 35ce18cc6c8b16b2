// SPDX-License-Identifier: MIT
#pragma once
struct ImFont;
struct ImFontAtlas;

namespace orrery {

struct Fonts {
    ImFont* text = nullptr;
    ImFont* large = nullptr;  ///< for large figures: only the program's own characters, not those of names
};

// DejaVu Sans, which is part of the program (assets/fonts): the same glyphs on every machine.

/// Glyphs for all text of the program, and for names of bodies in Latin, Greek and Cyrillic, at any height in pixels.
/// Other scripts, such as Chinese or Arabic, are shown as the replacement character U+FFFD.
ImFont* add_text_font(ImFontAtlas& atlas, float pixels);

/// The fonts of a window on a screen of this scale.
Fonts add_window_fonts(ImFontAtlas& atlas, float scale);

}  // namespace orrery
