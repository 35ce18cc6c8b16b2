// SPDX-License-Identifier: MIT
#pragma once
#include "app/picture/fonts.hpp"

namespace orrery {

inline constexpr double kLeastTextScale = 0.6, kMostTextScale = 2.5;

/// Sets colours, spacing and fonts for a screen of this scale. Needs an ImGui context, before its first frame.
Fonts apply_style(float scale);

}  // namespace orrery
