// SPDX-License-Identifier: MIT
#pragma once
#include "app/picture/fonts.hpp"
#include "app/ui/theme.hpp"

namespace orrery {

inline constexpr double kLeastTextScale = 0.6, kMostTextScale = 2.5;
inline constexpr int kDefaultSidebar = 376, kLeastSidebar = 320, kMostSidebar = 900;  // pixels at scale 1

/// The font for headings in the current frame.
ImFont* bold_font();

/// Sets colours, spacing and fonts for a screen of this scale; `extra` as in add_text_font(). Needs an ImGui context,
/// and must be called before its first frame.
Fonts apply_style(float scale, Theme theme = Theme::kDark, const Glyphs& extra = {});

}  // namespace orrery
