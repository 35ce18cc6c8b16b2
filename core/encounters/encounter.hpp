// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <deque>

#include "core/base/vec.hpp"
#include "core/physics/encounter_rule.hpp"

namespace orrery {

/// Two bodies have touched.
struct Encounter {
    EncounterKind kind = EncounterKind::kMerge;  ///< what came of it
    std::int64_t step = 0;                       ///< at the end of which it was found
    double time = 0;                             ///< of the touch
    std::uint64_t first = 0, second = 0;         ///< ids; the second was taken in by the first, or both bounced
    double mass_first = 0, mass_second = 0;      ///< before it
    double speed = 0;                            ///< of one relative to the other, before it
    double energy = 0;                           ///< taken from the bodies, in all
    friend bool operator==(const Encounter&, const Encounter&) = default;
};

/// What encounters have done so far. Energy and momenta of the bodies, each plus what is booked here, change only by
/// the errors of the integration.
struct EncounterLedger {
    std::uint64_t merges = 0, bounces = 0, accretions = 0;
    double energy = 0;         ///< taken from the bodies: kinetic energy, and their potential in each other's field
    Vec3d angular_momentum{};  ///< taken from the orbits, about the origin: merged bodies spin by it
    double mass = 0;           ///< lost to rounding where masses are in single precision
    Vec3d momentum{};          ///< likewise
    std::uint64_t count() const { return merges + bounces + accretions; }
    friend bool operator==(const EncounterLedger&, const EncounterLedger&) = default;
};

/// The ledger, and what was booked last.
struct EncounterLog {
    static constexpr std::size_t kMostKept = 256;  ///< and those of the last step

    EncounterLedger ledger;
    std::deque<Encounter> last;  ///< in the order in which they were booked; the last has number ledger.count()
};

}  // namespace orrery
