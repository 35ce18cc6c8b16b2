// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>

#include "core/analysis/background.hpp"
#include "core/encounters/encounters.hpp"

namespace orrery {

class SeriesPlayer;
class Simulation;
struct Status;

/// Computes energy and momentum of a running simulation in the background at intervals, and stores them in its status.
/// Belongs to the simulation's thread; no call waits.
class EnergyMonitor {
public:
    /// Discards earlier results; call for other bodies or another law. Sets a note in `status` if there will be no
    /// energy.
    void restart(const Simulation& simulation, Status& status);
    /// Starts no energy before this time: more edits may follow.
    void rest_until(std::chrono::steady_clock::time_point then) { next_ = then; }
    /// Collects a finished energy and requests the next one; between two steps.
    void take(const Simulation& simulation, Status& status);
    /// Same for a series: uses only its snapshots, because bodies in between are interpolated.
    void take(const Simulation& simulation, const SeriesPlayer& player, Status& status);
    /// Time until the next energy, after one that took this long: by default twenty times as long (5 % of the time),
    /// but at most ten seconds unless that were more than a fifth of the time.
    static std::chrono::duration<double> gap_after(std::chrono::duration<double> one);
    /// False if there will be no energies: triplets of many bodies take too long.
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
