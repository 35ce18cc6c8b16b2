// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <deque>

#include "core/base/vec.hpp"
#include "core/physics/encounter_rule.hpp"

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

}  // namespace orrery
