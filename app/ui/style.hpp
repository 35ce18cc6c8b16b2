// SPDX-License-Identifier: MIT
#pragma once
#include "app/picture/fonts.hpp"
#include "app/ui/theme.hpp"

namespace orrery {

inline constexpr double kLeastTextScale = 0.6, kMostTextScale = 2.5;
inline constexpr int kUsualSidebar = 376, kLeastSidebar = 320, kMostSidebar = 900;  // pixels at scale 1

/// Of the current frame: the one for headings.
ImFont* bold_font();

/// Sets colours, spacing and fonts for a screen of this scale; `extra` as add_text_font() has them. Needs an ImGui
/// context, before its first frame.
Fonts apply_style(float scale, Theme theme = Theme::kDark, const Letters& extra = {});

}  // namespace orrery
