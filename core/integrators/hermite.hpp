// SPDX-License-Identifier: MIT
#pragma once
#include "core/integrators/integrators.hpp"

namespace orrery {

// Schemes that also use the jerk; their stages are implemented in core/bodies/hermite.hpp.
IntegratorEntry hermite4();
IntegratorEntry hermite4_block();

}  // namespace orrery
