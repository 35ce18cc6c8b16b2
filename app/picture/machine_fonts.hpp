// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace orrery {

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
