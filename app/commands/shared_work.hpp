// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/body_system.hpp"

namespace orrery {

/// On stderr, where there are several ranks: that the engine does not share its work, or why their devices exchange it
/// by way of the hosts. Collective, but under a Lead.
void tell_how_shared(const BodySystem& system, const EngineConfig& engine);

}  // namespace orrery
