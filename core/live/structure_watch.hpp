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

class Simulation;

/// Has Lagrangian radii, density profile, centres, momenta and the closest pair of a running simulation worked out in
/// the background, now and then, so that it takes 5 % of the time, and puts them into its status. What one takes is the
/// wall time of the copy, for which the simulation waits, and the CPU time of one of the threads that share the work
/// after it, which is what each core loses by it. Belongs to the simulation's thread.
class StructureWatch {
public:
    static constexpr double kShare = 20;    ///< of the time, one part in so many
    static constexpr double kPeriod = 0.2;  ///< seconds from one to the next at least

    StructureWatch();

    /// Forgets what was: other bodies. Says in `status` where there will be none.
    void restart(const Simulation& simulation, StructureStatus& status);
    /// Collects what is done and asks for the next, at a boundary of steps.
    void take(const Simulation& simulation, StructureStatus& status);

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

    Work work_;
    Clock::time_point next_{}, asked_at_{};
    std::int64_t asked_step_ = 0;
    std::uint64_t asked_moment_ = 0;
    double asked_time_ = 0, copy_seconds_ = 0;
    bool on_ = true, asked_ = false;
};

}  // namespace orrery
