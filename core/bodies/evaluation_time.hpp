// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/bodies.hpp"
#include "core/engines/config.hpp"

namespace orrery {

/// Seconds of one evaluation of the accelerations: the fastest of several. Throws as make_body_system() does.
double fastest_evaluation(const EngineConfig& config, const Scene& scene);

}  // namespace orrery
