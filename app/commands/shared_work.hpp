// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/body_system.hpp"

namespace orrery {

/// Reports on stderr, if there are several ranks, that the engine does not share its work, or why devices exchange it
/// through their hosts. Collective, except under a RankLeader.
void report_sharing(const BodySystem& system, const EngineConfig& engine);

}  // namespace orrery
