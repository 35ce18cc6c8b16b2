// SPDX-License-Identifier: MIT
#include "core/simulation/needs.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engines/menu.hpp"
#include "core/physics/pair_law.hpp"
#include "core/physics/pair_laws.hpp"

namespace orrery {

std::string refusal(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law) {
    if (integrator.splits()) return {};
    return refusal(integrator, engine(config.engine, config.backend), config, law);
}

std::string refusal(const IntegratorEntry& integrator, const EngineEntry& entry, const EngineConfig& config,
                    PairLaw law) {
    if (integrator.splits()) return {};
    const bool mixed = config.precision == Precision::kMixed;
    if (law != PairLaw::kGravity)
        return fmt::format("integrator '{}' needs {}, which are computed of gravity, not of law {}", integrator.id,
                           integrator.jerk ? "jerks" : "the forces of some bodies alone", pair_law(law).id);
    if (integrator.jerk && config.compensated)
        return fmt::format("compensated summation needs kicks and drifts, which integrator '{}' does not have",
                           integrator.id);
    if (integrator.jerk && mixed)
        return fmt::format(
            "integrator '{}' needs jerks, which are computed in single and double precision, not in mixed",
            integrator.id);
    if (entry.jerk && !mixed) return {};
    if (integrator.jerk)
        return fmt::format("integrator '{}' needs jerks, which engine '{}' on {} does not compute; these do: {}",
                           integrator.id, config.engine, name(config.backend), engines_with_jerk());
    if (entry.due) return {};
    return fmt::format(
        "integrator '{}' needs the forces of some bodies alone, which engine '{}' on {} does not compute{}; these do: "
        "{}",
        integrator.id, config.engine, name(config.backend), entry.jerk ? " in mixed precision" : "",
        engines_with_due());
}

std::string encounters_refusal(const EncounterRule& rule, const IntegratorEntry& integrator, const EngineConfig& config,
                               PairLaw law) {
    if (!rule.on()) return {};
    const std::string_view id = encounter_kind(rule.kind).id;
    if (!attracts_masses(law))
        return fmt::format("encounters '{}' are of masses that attract each other, not of law {}", id,
                           pair_law(law).id);
    if (law_of(config) != Law::kPairs)
        return fmt::format("encounters '{}' need forces of pairs, and engine '{}' computes triplets", id,
                           config.engine);
    if (integrator.individual)
        return fmt::format(
            "encounters '{}' are looked for at the ends of steps that all bodies share; integrator '{}' gives each its "
            "own",
            id, integrator.id);
    return {};
}

void require_power(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law,
                   const EncounterRule& encounters) {
    if (const std::string why = refusal(integrator, config, law); !why.empty()) usage_error(why);
    if (const std::string why = encounters_refusal(encounters, integrator, config, law); !why.empty()) usage_error(why);
}

}  // namespace orrery
