// SPDX-License-Identifier: MIT
#pragma once
#include "core/integrators/integrators.hpp"

namespace orrery {

// Schemes that use the time derivative of accelerations too; what a stage of them does is in core/bodies/hermite.hpp.
IntegratorEntry hermite4();
IntegratorEntry hermite4_block();

}  // namespace orrery
