// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"
#include "core/encounters/encounter.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// A step at whose end encounters are resolved.
struct MeetingStep {
    std::span<const Vec4d> before;  ///< positions at its start, in the order of the bodies
    std::int64_t number = 0;
    double end = 0, dt = 0;  ///< in the scene's time
    bool single = false;     ///< positions, velocities and masses are stored in float
};

/// What encounters did to the bodies.
struct MeetingOutcome {
    std::vector<std::uint32_t> changed;  ///< previous indices of the changed bodies that remain, ascending
    std::vector<std::uint8_t> removed;   ///< one per body; empty: none removed
    bool moved = false;                  ///< some are not where the step moved them
    std::vector<Encounter> encounters;

    bool nothing() const { return changed.empty(); }
};

/// Resolves the encounters of a step and books their effect in the ledger. Changes positions, masses and velocities of
/// the bodies in `changed`; those in `removed` stay in place with mass 0 and the caller drops them. Needs `ids`, one
/// per body.
///
/// All bodies that touch each other, directly or through others, merge into one at their centre of mass (perfectly
/// inelastic), in the row of the marked or else the heaviest body. A body that touches several accreting ones goes to
/// the one that it touches first. A bounce is that of smooth spheres without spin: the velocities along the line of
/// centres follow Newton's law of impact, v' = −e v; two bodies that passed through each other within the step are
/// moved to where the bounce would have taken them. The result does not depend on the order of the bodies.
MeetingOutcome meet(Pool& pool, const EncounterRule& rule, const Gravity& gravity, const MeetingStep& step,
                    Bodies& bodies, EncounterLedger& ledger);

/// True if a body absorbs everything it touches: species boundary (Gadget's type 5, used for black holes).
inline bool is_marked(const Bodies& bodies, std::size_t i) { return bodies.species_of(i) == Species::kBoundary; }

}  // namespace orrery
