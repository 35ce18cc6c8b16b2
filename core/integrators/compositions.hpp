// SPDX-License-Identifier: MIT
#pragma once
#include "core/integrators/integrators.hpp"

namespace orrery {

// Leapfrogs of different lengths, forth and back, whose errors cancel.
IntegratorEntry forest_ruth();
IntegratorEntry yoshida4();
IntegratorEntry yoshida6();

}  // namespace orrery
