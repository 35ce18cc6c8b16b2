// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace orrery {

/// A font file of the machine, in memory for as long as the program runs.
struct MachineFont {
    std::string path;
    std::string_view file;  ///< its bytes
    int number = 0;         ///< of the font, in a collection
};

/// The font that fontconfig gives for these characters, if it is one that ImGui reads: TrueType or CFF outlines, not
/// variable. Null: there is none that has the first of them, or no fontconfig; it is looked for with dlopen(), and
/// needed for nothing else.
const MachineFont* machine_font_for(std::u16string_view letters);

}  // namespace orrery
