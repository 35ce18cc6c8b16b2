// SPDX-License-Identifier: MIT
// One judgement of a run by what it should conserve, for `run`, the window and Python.
#pragma once
#include <string>

#include "core/diagnostics/diagnostics.hpp"
#include "core/encounters/encounter.hpp"

namespace orrery {

/// Relative changes since the first state, without what encounters took.
struct Conservation {
    double energy = 0;    ///< (E − E₀) / |E₀|; E − E₀ if E₀ is 0
    double momentum = 0;  ///< |P − P₀| by the largest Σ m|v| of the run; |P − P₀| if nothing has moved
    bool finite = true;   ///< both energies are numbers
    bool kept = true;     ///< the energy has changed by less than kMostDrift
};

/// Beyond this part of the energy, the orbits of the run are not those of its bodies.
inline constexpr double kMostDrift = 1e-2;

/// `met` holds what encounters took between both states. The energy is also kept if it has changed by less than
/// kMostDrift of what it is in a virialised system, (K + |W|) / 3, by the larger of both states: a total energy near
/// zero is no measure.
Conservation conserved(const Diagnostics& first, const Diagnostics& now, const EncounterLedger& met);
/// |P − P₀| by the largest Σ m|v| of the run, as Conservation::momentum.
double momentum_drift(const Motion& first, const Motion& now, const EncounterLedger& met);
/// What encounters took between two states.
EncounterLedger taken_between(const EncounterLedger& before, const EncounterLedger& after);

/// The fault of a run and what helps, one line; empty if its energy is kept. `adaptive` as in Scene.
std::string warning_of(const Conservation& conservation, double adaptive);

}  // namespace orrery
