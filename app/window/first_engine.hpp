// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// The engine of a scene for which nobody has chosen one: all pairs, or, where those would take longer than about two
/// pictures, Barnes–Hut at the usual accuracy, if it computes this law and what this integrator needs (empty: kicks and
/// drifts). On the best backend of the engine here.
EngineConfig first_engine(std::size_t bodies, PairLaw law, std::string_view integrator_id);
/// The same for a scene before it is opened, by its request; a preset gets the force that it needs.
EngineConfig first_engine(const SceneRequest& scene);
/// The engine that a preset needs in place of this one; none if this one computes the preset's force.
std::optional<EngineConfig> engine_needed(const SceneRequest& scene, const EngineConfig& now);

}  // namespace orrery
