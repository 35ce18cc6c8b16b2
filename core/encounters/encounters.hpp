// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"
#include "core/physics/encounter_rule.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// A contact of two bodies and its outcome.
struct Encounter {
    EncounterKind kind = EncounterKind::kMerge;  ///< outcome
    std::int64_t step = 0;                       ///< step at whose end it was found
    double time = 0;                             ///< of the contact
    std::uint64_t first = 0, second = 0;         ///< ids; the first absorbed the second, or both bounced
    double mass_first = 0, mass_second = 0;      ///< before the encounter
    double speed = 0;                            ///< relative, before the encounter
    double energy = 0;                           ///< total, taken from the bodies
    friend bool operator==(const Encounter&, const Encounter&) = default;
};

/// Totals of all encounters so far. Energy and momenta of the bodies plus these values change only by integration
/// errors.
struct EncounterLedger {
    std::uint64_t merges = 0, bounces = 0, accretions = 0;
    double energy = 0;         ///< taken from the bodies: kinetic energy, and their mutual potential energy
    Vec3d angular_momentum{};  ///< taken from the orbits, about the origin: spin of merged bodies
    double mass = 0;           ///< lost to rounding of masses in single precision
    Vec3d momentum{};          ///< lost to rounding
    std::uint64_t count() const { return merges + bounces + accretions; }
    friend bool operator==(const EncounterLedger&, const EncounterLedger&) = default;
};

/// The ledger and its most recent entries.
struct EncounterLog {
    static constexpr std::size_t kMostKept = 256;  ///< plus those of the last step

    EncounterLedger ledger;
    std::deque<Encounter> last;  ///< in order of booking; the last one has number ledger.count()
};

/// A step at whose end encounters are resolved.
struct MeetingStep {
    std::span<const Vec4d> before;  ///< positions at its start, in the order of the bodies
    std::int64_t number = 0;
    double end = 0, dt = 0;  ///< in the scene's time
    bool single = false;     ///< positions, velocities and masses are stored in float
};

/// Effect of encounters on the bodies.
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
