// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

struct ImFont;
struct ImFontAtlas;

namespace orrery {

/// Characters of names beyond those that are always there, in order.
using Letters = std::u16string;

struct Fonts {
    ImFont* text = nullptr;
    ImFont* bold = nullptr;   ///< for headings, likewise; as high as `text`
    ImFont* large = nullptr;  ///< for large figures: only the program's own characters, not those of names
};

// DejaVu Sans, which is part of the program (assets/fonts): the same glyphs on every machine.

/// Glyphs for all text of the program, and for names of bodies in Latin, Greek and Cyrillic, at any height in pixels;
/// and for `extra`: from DejaVu Sans where it has them, else from a font of the machine, such as Noto Sans CJK. What
/// neither has is shown as the replacement character U+FFFD.
ImFont* add_text_font(ImFontAtlas& atlas, float pixels, const Letters& extra = {});
/// What add_text_font() needs as `extra` for these names. Characters beyond U+FFFF have no glyphs.
Letters letters_beyond(const std::vector<std::string>& names);

/// The fonts of a window on a screen of this scale.
Fonts add_window_fonts(ImFontAtlas& atlas, float scale, const Letters& extra = {});

}  // namespace orrery
