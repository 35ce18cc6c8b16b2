// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/background_job.hpp"
#include "core/bodies/body_copy.hpp"
#include "core/live/structure_status.hpp"

namespace orrery {

class SeriesPlayer;
class Simulation;

/// Computes Lagrangian radii, density profile, centres, momenta and the closest pair of a running simulation in the
/// background at intervals, so that it takes 5 % of the time, and puts them into its status. The cost is the wall time
/// of the copy, for which the simulation waits, plus the CPU time of one of the threads that share the analysis, which
/// is what each core loses. Belongs to the simulation's thread.
class StructureWatch {
public:
    static constexpr double kShare = 20;    ///< one part in this many of the time
    static constexpr double kPeriod = 0.2;  ///< minimum seconds between two

    StructureWatch();

    /// Discards earlier results: other bodies. Sets a note in `status` if there will be none.
    void restart(const Simulation& simulation, StructureStatus& status);
    void rest_until(std::chrono::steady_clock::time_point then) { next_ = then; }  ///< as EnergyWatch does
    /// Collects a finished result and requests the next, between two steps.
    void take(const Simulation& simulation, StructureStatus& status);
    /// The same of a series that is played: of the snapshots that it reaches, for bodies between them are interpolated.
    void take(const Simulation& simulation, const SeriesPlayer& player, StructureStatus& status);

private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        mutable std::shared_ptr<const BodyCopy> bodies;  // dropped as soon as they are on the host
    };
    struct Result {
        std::shared_ptr<const Structure> structure;  // null when `failure` says why
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
