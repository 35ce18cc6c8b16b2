// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/engines/config.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/encounter_rule.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

struct EngineEntry;

/// Why an engine does not support an integrator, one line for users; empty if it does.
std::string why_incompatible(const IntegratorEntry& integrator, const EngineConfig& config,
                             PairLaw law = PairLaw::kGravity);
/// Same for an engine that need not be available here.
std::string why_incompatible(const IntegratorEntry& integrator, const EngineEntry& entry, const EngineConfig& config,
                             PairLaw law = PairLaw::kGravity);

/// Why encounters of this kind are impossible with this integrator, engine and law; empty if they are possible or off.
std::string why_encounters_incompatible(const EncounterRule& rule, const IntegratorEntry& integrator,
                                        const EngineConfig& config, PairLaw law);

/// Throws Error{kUsage} with the reason of why_incompatible() or why_encounters_incompatible().
void require_power(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law,
                   const EncounterRule& encounters);

}  // namespace orrery
