// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Shifts and boosts the bodies from `first` on so that their centre of mass is at rest at the origin.
void centre(Bodies& bodies, std::size_t first = 0);

}  // namespace orrery
