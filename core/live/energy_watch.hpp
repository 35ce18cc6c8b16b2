// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>

#include "core/diagnostics/background.hpp"
#include "core/encounters/encounter.hpp"

namespace orrery {

class SeriesPlayer;
class Simulation;
struct Status;

/// Computes energy and momentum of a running simulation in the background at intervals, and puts them into its status.
/// Belongs to the simulation's thread; no call waits.
class EnergyWatch {
public:
    /// Discards earlier results: other bodies, or another law. Sets a note in `status` if there will be no energy.
    void restart(const Simulation& simulation, Status& status);
    /// No energy is begun before this: edits may follow one another.
    void rest_until(std::chrono::steady_clock::time_point then) { next_ = then; }
    /// Collects a finished energy and requests the next, between two steps.
    void take(const Simulation& simulation, Status& status);
    /// The same of a series that is played: of the snapshots that it reaches, for bodies between them are interpolated.
    void take(const Simulation& simulation, const SeriesPlayer& player, Status& status);
    /// Until the next one, after one that took this long: usually twenty times as long, so that they take 5 % of the
    /// time, but no longer than ten seconds unless that were more than a fifth of the time.
    static std::chrono::duration<double> gap_after(std::chrono::duration<double> one);
    /// Whether there will be energies: triplets of many bodies take too long.
    static bool watches(const Simulation& simulation);

private:
    void collect(Status& status);

    BackgroundDiagnostics energies_;
    std::chrono::steady_clock::time_point next_{};
    std::uint64_t serial_ = 0, moment_ = 0, asked_ = 0;
    std::int64_t asked_step_ = 0;
    std::chrono::steady_clock::time_point asked_at_{};
    double asked_time_ = 0;
    EncounterLedger asked_met_;
    bool on_ = true;
};

}  // namespace orrery
