// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

namespace orrery {

/// A word of a frame, read back from its triangles.
struct DrawnWord {
    std::string word;  ///< two letters or more
    std::string line;  ///< the text around it
};

/// The words that a frame draws with the fonts of the atlas, in whatever way: by widgets, drawings or ImGui itself.
/// Skips words whose end is cut off by the edge of a window, by "…" or by the edge of a text field. For tests: it
/// searches the triangles for those of letters.
std::vector<DrawnWord> drawn_words(const ImDrawData& drawn, const ImFontAtlas& atlas);

}  // namespace orrery
