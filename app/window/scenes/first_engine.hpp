// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// The engine of a scene for which the user has chosen none: all pairs, or, if those would take longer than about two
/// frames, Barnes–Hut at the default accuracy, if it supports this law and this integrator (empty: kicks and drifts).
/// Uses the best backend of the engine on this machine.
EngineConfig first_engine(std::size_t bodies, PairLaw law, std::string_view integrator_id);
/// The same for a scene that is not open yet, from its request; a preset gets the force that it needs.
EngineConfig first_engine(const SceneRequest& scene);
/// The engine that a preset needs in place of this one; none if this one computes the preset's force.
std::optional<EngineConfig> engine_needed(const SceneRequest& scene, const EngineConfig& now);

}  // namespace orrery
