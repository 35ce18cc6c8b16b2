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

/// A step at whose end encounters are looked for.
struct MeetingStep {
    std::span<const Vec4d> before;  ///< places at its beginning, in the order of the bodies
    std::int64_t number = 0;
    double end = 0, dt = 0;  ///< of the scene's time
    bool single = false;     ///< places, velocities and masses are kept in float
};

/// What has become of the bodies.
struct MeetingOutcome {
    std::vector<std::uint32_t> changed;  ///< indices before, ascending: of those that are there still
    std::vector<std::uint8_t> removed;   ///< one per body; empty: none was
    bool moved = false;                  ///< some have another place than the step brought them to
    std::vector<Encounter> encounters;

    bool nothing() const { return changed.empty(); }
};

/// Lets the bodies meet that have touched during the step, and books what that takes. Of `bodies` places, masses and
/// velocities of those in `changed` are others then; those in `removed` are left in their rows with mass 0, for the
/// caller to drop. `ids` are needed, one per body.
///
/// All that touch each other, directly or through others, become one body in the place of the marked or else the
/// heaviest one, in the centre of mass (perfectly inelastic). A body that touches several that accrete goes to the one
/// that it touches first. A bounce is that of smooth spheres without spin: the velocities along the line of centres
/// change as in Newton's law of impact, v' = −e v; where two have passed each other within the step they are set
/// back to where the bounce would have brought them. Which meet does not depend on the order of the bodies.
MeetingOutcome meet(Pool& pool, const EncounterRule& rule, const Gravity& gravity, const MeetingStep& step,
                    Bodies& bodies, EncounterLedger& ledger);

/// Whether a body takes in what it touches: species boundary, Gadget's type 5, in which black holes are stored.
inline bool is_marked(const Bodies& bodies, std::size_t i) { return bodies.species_of(i) == Species::kBoundary; }

}  // namespace orrery
