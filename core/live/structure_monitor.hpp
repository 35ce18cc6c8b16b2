// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/background_job.hpp"
#include "core/bodies/body_copy.hpp"
#include "core/live/status.hpp"

namespace orrery {

class SeriesPlayer;
class Simulation;

/// Computes Lagrangian radii, density profile, centres, momenta and the closest pair of a running simulation in the
/// background at intervals, using 5 % of the time, and stores them in its status. The cost of one analysis is the wall
/// time of the copy, for which the simulation waits, plus the CPU time of one of the threads that share the analysis,
/// which is the loss of each core. Belongs to the simulation's thread.
class StructureMonitor {
public:
    static constexpr double kShare = 20;    ///< uses one part in this many of the time
    static constexpr double kPeriod = 0.2;  ///< minimum seconds between analyses

    StructureMonitor();

    /// Discards earlier results; call for other bodies. Sets a note in `status` if there will be none.
    void restart(const Simulation& simulation, StructureStatus& status);
    void rest_until(std::chrono::steady_clock::time_point then) { next_ = then; }  ///< see EnergyMonitor
    /// Collects a finished result and requests the next one; between two steps.
    void take(const Simulation& simulation, StructureStatus& status);
    /// Same for a series: uses only its snapshots, because bodies in between are interpolated.
    void take(const Simulation& simulation, const SeriesPlayer& player, StructureStatus& status);

private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        mutable std::shared_ptr<const BodyCopy> bodies;  // freed as soon as they are on the host
    };
    struct Result {
        std::shared_ptr<const Structure> structure;  // null: see `failure`
        double seconds = 0;
        std::string failure;
    };
    using Work = BackgroundJob<Job, std::optional<Result>>;

    void collect(StructureStatus& status);
    bool ready() const { return Clock::now() >= next_ && !work_.busy(); }
    void ask(const Simulation& simulation, double time, std::shared_ptr<const BodyCopy> bodies);

    Work work_;
    Clock::time_point next_{}, asked_at_{};
    std::int64_t asked_step_ = 0;
    std::uint64_t asked_moment_ = 0;
    double asked_time_ = 0, copy_seconds_ = 0;
    EncounterLedger asked_met_;
    bool on_ = true, asked_ = false;
};

}  // namespace orrery
