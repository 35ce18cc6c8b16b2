// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace orrery {

/// Blue at 0 through green to yellow at 1, with perceptually equal steps in lightness; for ImGui's draw lists.
/// Lightness alone shows the order, so it is readable with colour blindness.
std::uint32_t ramp_color(float share);

}  // namespace orrery
