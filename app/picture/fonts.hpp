// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct ImFont;
struct ImFontAtlas;

namespace orrery {

/// Icons of Font Awesome 4.7, part of every font that add_text_font() makes. The values are its characters, in the
/// private use area of Unicode, so they cannot occur in names.
enum class Icon : char16_t {
    kNone = 0,
    kAttract = 0xf066,
    kBackward = 0xf04a,
    kBody = 0xf10c,
    kClose = 0xf00d,
    kCluster = 0xf069,
    kDelete = 0xf1f8,
    kDisc = 0xf192,
    kDuplicate = 0xf24d,
    kEnlarge = 0xf065,
    kFiles = 0xf07c,
    kFollow = 0xf05b,
    kForward = 0xf04e,
    kNext = 0xf051,
    kPause = 0xf04c,
    kPicture = 0xf030,
    kPin = 0xf08d,
    kPlay = 0xf04b,
    kPrevious = 0xf048,
    kRecord = 0xf111,
    kRedo = 0xf01e,
    kRepel = 0xf0b2,
    kRestart = 0xf049,
    kRing = 0xf1ce,
    kStir = 0xf021,
    kStop = 0xf04d,
    kTearOff = 0xf08e,
    kUndo = 0xf0e2,
    kUnpin = 0xf09c,
    kWatch = 0xf06e,
};

std::span<const Icon> icons();     ///< all of them, without kNone
std::string icon_text(Icon icon);  ///< in UTF-8; empty for kNone

/// Characters of names beyond those always included, sorted.
using Glyphs = std::u16string;

struct Fonts {
    ImFont* text = nullptr;
    ImFont* bold = nullptr;   ///< for headings; same height as `text`
    ImFont* large = nullptr;  ///< for large numerals: only the program's own characters, not those of names
    ImFont* small = nullptr;  ///< for remarks: only the program's own characters
    ImFont* mono = nullptr;   ///< for code: characters of equal width, Latin and Greek
};

// Inter, DejaVu Sans, DejaVu Sans Mono and Font Awesome, which are part of the program (assets/fonts): the same glyphs
// on every machine.

/// Adds glyphs for all texts of the program, for its icons, for names of bodies in Latin, Greek and Cyrillic, and for
/// `extra`, at any height in pixels: from Inter, otherwise from DejaVu Sans, otherwise from a font of the machine, such
/// as Noto Sans CJK. Digits have equal widths. Characters in no font are shown as the replacement character U+FFFD.
ImFont* add_text_font(ImFontAtlas& atlas, float pixels, const Glyphs& extra = {});
/// The characters of these names that add_text_font() needs as `extra`. Characters beyond U+FFFF have no glyphs.
Glyphs extra_glyphs(const std::vector<std::string>& names);

/// The fonts of a window on a screen of this scale.
Fonts add_window_fonts(ImFontAtlas& atlas, float scale, const Glyphs& extra = {});

/// A font file of the machine, in memory until the program ends.
struct MachineFont {
    std::string path;
    std::string_view file;  ///< its bytes
    int number = 0;         ///< index of the font in a collection
};

/// The font that fontconfig selects for these characters, if ImGui can read it: TrueType or CFF outlines, not variable.
/// Null if it lacks the first of them, or without fontconfig, which is loaded with dlopen() and used for nothing else.
const MachineFont* machine_font_for(std::u16string_view letters);

}  // namespace orrery
