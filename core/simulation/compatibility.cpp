// SPDX-License-Identifier: MIT
#include "core/simulation/compatibility.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engines/menu.hpp"
#include "core/physics/pair_law.hpp"
#include "core/physics/pair_laws.hpp"

namespace orrery {

std::string why_incompatible(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law) {
    if (integrator.splits()) return {};
    return why_incompatible(integrator, engine(config.engine, config.backend), config, law);
}

std::string why_incompatible(const IntegratorEntry& integrator, const EngineEntry& entry, const EngineConfig& config,
                             PairLaw law) {
    if (integrator.splits()) return {};
    const bool mixed = config.precision == Precision::kMixed;
    if (law != PairLaw::kGravity)
        return fmt::format("integrator '{}' needs {}, which are available for gravity but not for law {}",
                           integrator.id, integrator.jerk ? "jerks" : "forces for a subset of bodies",
                           pair_law(law).id);
    if (integrator.jerk && config.compensated)
        return fmt::format("compensated summation needs kicks and drifts, which integrator '{}' does not have",
                           integrator.id);
    if (integrator.jerk && mixed)
        return fmt::format(
            "integrator '{}' needs jerks, which are computed in single and double precision, but not in mixed",
            integrator.id);
    if (entry.has(Capability::kJerk) && !mixed) return {};
    if (integrator.jerk)
        return fmt::format("integrator '{}' needs jerks, which engine '{}' on {} does not compute; these do: {}",
                           integrator.id, config.engine, name(config.backend), engines_with_jerk());
    if (entry.has(Capability::kDue)) return {};
    return fmt::format(
        "integrator '{}' needs forces for a subset of bodies, which engine '{}' on {} does not compute{}; these do: "
        "{}",
        integrator.id, config.engine, name(config.backend), entry.has(Capability::kJerk) ? " in mixed precision" : "",
        engines_with_due());
}

std::string why_encounters_incompatible(const EncounterRule& rule, const IntegratorEntry& integrator,
                                        const EngineConfig& config, PairLaw law) {
    if (!rule.on()) return {};
    const std::string_view id = encounter_kind(rule.kind).id;
    if (!attracts_masses(law))
        return fmt::format("encounters '{}' need masses that attract each other, unlike law {}", id, pair_law(law).id);
    if (law_of(config) != Law::kPairs)
        return fmt::format("encounters '{}' need pair forces, but engine '{}' computes triplets", id, config.engine);
    if (integrator.individual)
        return fmt::format("encounters '{}' need a common time step, but integrator '{}' uses individual steps", id,
                           integrator.id);
    return {};
}

void require_power(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law,
                   const EncounterRule& encounters) {
    if (const std::string why = why_incompatible(integrator, config, law); !why.empty()) usage_error(why);
    if (const std::string why = why_encounters_incompatible(encounters, integrator, config, law); !why.empty())
        usage_error(why);
}

}  // namespace orrery
