// SPDX-License-Identifier: MIT
#pragma once
#include "core/integrators/integrators.hpp"

namespace orrery {

IntegratorEntry leapfrog_kdk();
IntegratorEntry leapfrog_dkd();
IntegratorEntry taylor_step();
IntegratorEntry leapfrog_block();

}  // namespace orrery
