// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/engines/config.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/encounter_rule.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

struct EngineEntry;

/// Why an engine cannot follow an integrator, one line for people; empty: it can.
std::string refusal(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law = PairLaw::kGravity);
/// The same of an engine that need not run here.
std::string refusal(const IntegratorEntry& integrator, const EngineEntry& entry, const EngineConfig& config,
                    PairLaw law = PairLaw::kGravity);

/// Why bodies cannot meet by this rule under these; empty: they can, or need not.
std::string encounters_refusal(const EncounterRule& rule, const IntegratorEntry& integrator, const EngineConfig& config,
                               PairLaw law);

/// Throws Error{kUsage} saying which engines would do, that compensated sums would not, or why bodies cannot meet.
void require_power(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law,
                   const EncounterRule& encounters);

}  // namespace orrery
