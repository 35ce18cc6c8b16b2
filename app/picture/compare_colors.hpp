// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

namespace orrery {

// M. Okabe & K. Ito, "Color Universal Design", 2008: distinguishable with colour blindness.
inline constexpr ImU32 kColorOfA = IM_COL32(86, 180, 233, 255), kColorOfB = IM_COL32(230, 159, 0, 255);

}  // namespace orrery
