// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "app/render/color_bar.hpp"
#include "app/render/guides.hpp"

struct ImDrawList;
struct ImFont;

namespace orrery {

// What a picture says of itself, drawn on any list of ImGui: the window's, or that of a picture without a window.
// Places are in pixels; `size` is the height of a line of text.

/// Upright, its lower right corner at (right, bottom).
void draw_color_bar(ImDrawList& draw, ImFont* font, float size, const ColorBar& bar, float right, float bottom);

/// A length of the scene as a bar with its name, from (left, bottom) to the right.
void draw_scale_bar(ImDrawList& draw, ImFont* font, float size, const ScaleBar& bar, const std::string& unit,
                    float left, float bottom);
/// Words with a shade that keeps them readable over anything.
void draw_words(ImDrawList& draw, ImFont* font, float size, const std::string& words, float left, float top);

}  // namespace orrery
