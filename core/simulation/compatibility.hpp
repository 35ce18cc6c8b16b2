// SPDX-License-Identifier: MIT
// Checks that integrator, engine, law and encounters go together, and that the numbers of a scene suit the precision of
// the computation and the assumed G.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/backend.hpp"
#include "core/bodies/bodies.hpp"
#include "core/engines/config.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/encounter_rule.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

class BodySource;

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

/// The engine for this many bodies if none was requested: `auto` at the default accuracy from the size on where trees
/// are faster than sums over all pairs, otherwise `few`. Keeps the precision and the threads of `few`.
EngineConfig default_engine(const EngineConfig& few, std::size_t bodies, PairLaw law,
                            const IntegratorEntry& integrator);

/// Throws Error{kUsage} with the reason of why_incompatible() or why_encounters_incompatible().
void require_power(const IntegratorEntry& integrator, const EngineConfig& config, PairLaw law,
                   const EncounterRule& encounters);

/// Why positions in this precision cannot resolve the motion, as a clause: the bodies are so far from the origin that
/// the spacing of representable numbers exceeds a thousandth of their extent, or a twentieth of their path in one step.
/// Empty if they can.
std::string unresolved(const Scene& scene, Precision precision);
/// Throws Error{kUsage} with that reason and the precisions that suffice.
void require_resolved(const Scene& scene, Precision precision);
/// The same for bodies that need not be in memory, with the settings of their scene.
void require_resolved(const Scene& settings, const BodySource& bodies, Precision precision);

/// Remarks on the bodies of a file, one line each: far from the origin, squared distances beyond single precision, or
/// 2K/|W| far from 1 if the file states no units and G = 1 is assumed. `mass`: of all bodies, if the scene has only a
/// sample of them.
std::vector<std::string> oddities(const Scene& scene, std::optional<double> mass = std::nullopt);

}  // namespace orrery
