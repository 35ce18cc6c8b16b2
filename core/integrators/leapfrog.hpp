// SPDX-License-Identifier: MIT
#pragma once
#include "core/integrators/integrators.hpp"

namespace orrery {

IntegratorEntry leapfrog_kdk();

}  // namespace orrery
