// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace orrery {

/// From blue at 0 through green to yellow at 1, lighter in steps that look equal; for ImGui's draw lists. Lightness
/// alone tells the order, whatever hues an eye can part.
std::uint32_t ramp_color(float share);

}  // namespace orrery
