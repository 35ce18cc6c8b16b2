// SPDX-License-Identifier: MIT
#pragma once
#include "core/integrators/integrators.hpp"

namespace orrery {

// Compositions: sequences of leapfrog steps of different lengths, forward and backward, whose errors cancel.
IntegratorEntry forest_ruth();
IntegratorEntry yoshida4();
IntegratorEntry yoshida6();

}  // namespace orrery
