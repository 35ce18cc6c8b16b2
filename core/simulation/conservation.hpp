// SPDX-License-Identifier: MIT
// Conservation check of a run, shared by `run`, the window and Python.
#pragma once
#include <string>

#include "core/analysis/diagnostics.hpp"
#include "core/encounters/encounters.hpp"

namespace orrery {

/// Relative changes since the first state, excluding the effect of encounters.
struct Conservation {
    double energy = 0;    ///< (E − E₀) / |E₀|; E − E₀ if E₀ is 0
    double momentum = 0;  ///< |P − P₀| over the largest Σ m|v| of the run; |P − P₀| if nothing has moved
    bool finite = true;   ///< both energies are finite
    bool kept = true;     ///< the energy has changed by less than kMostDrift
};

/// A larger relative change of the energy means that the computed orbits are wrong.
inline constexpr double kMostDrift = 1e-2;

/// `met`: effect of encounters between the two states. The energy also counts as conserved if it has changed by less
/// than kMostDrift of (K + |W|) / 3, its value in a virialised system, of the larger of both states: a total energy
/// near zero is not a usable measure.
Conservation conserved(const Diagnostics& first, const Diagnostics& now, const EncounterLedger& met);
/// |P − P₀| over the largest Σ m|v| of the run, see Conservation::momentum.
double momentum_drift(const Motion& first, const Motion& now, const EncounterLedger& met);
/// Effect of the encounters between two states.
EncounterLedger taken_between(const EncounterLedger& before, const EncounterLedger& after);

/// The problem of a run and its remedy, one line; empty if energy is conserved. `adaptive` as in Scene.
std::string warning_of(const Conservation& conservation, double adaptive);

}  // namespace orrery
