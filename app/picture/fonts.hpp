// SPDX-License-Identifier: MIT
#pragma once
struct ImFont;
struct ImFontAtlas;

namespace orrery {

struct Fonts {
    ImFont* text = nullptr;
    ImFont* large = nullptr;  ///< for figures that are read from afar: the program's own signs, not those of names
};

// DejaVu Sans, which is part of the program (assets/fonts): the same letters on every machine.

/// Letters for all that the program writes, and for names of bodies in Latin, Greek and Cyrillic; of any height in
/// pixels. Others, Chinese or Arabic say, are not among them and show as the replacement character, U+FFFD.
ImFont* add_text_font(ImFontAtlas& atlas, float pixels);

/// Those of a window on a screen of this scale.
Fonts add_window_fonts(ImFontAtlas& atlas, float scale);

}  // namespace orrery
