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

class Simulation;

/// Computes the requested plot of a running simulation in the background from copies of its bodies, repeatedly while
/// they move, using a tenth of the time of the cores. Belongs to the simulation's thread.
class AnalysisMonitor {
public:
    static constexpr double kShare = 10;    ///< uses one part in this many of the time
    static constexpr double kPeriod = 0.2;  ///< minimum seconds between plots

    AnalysisMonitor();

    /// Sets the requested plot; null: none.
    void want(std::shared_ptr<const AnalysisSettings> settings, AnalysisStatus& status);
    /// Discards earlier results; call for other bodies.
    void restart(AnalysisStatus& status);
    void rest_until(std::chrono::steady_clock::time_point then) { next_ = then; }  ///< see EnergyMonitor
    /// Collects a finished result and requests the next one; between two steps.
    void take(const Simulation& simulation, AnalysisStatus& status);

private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        mutable std::shared_ptr<const BodyCopy> bodies;  // freed as soon as they are on the host
        mutable Scene scene;                             // without bodies, but with their species
        AnalysisSettings settings;
    };
    struct Result {
        std::shared_ptr<const AnalysisResult> made;  // null: see `failure`
        double seconds = 0;
        std::string failure;
    };
    using Work = BackgroundJob<Job, std::optional<Result>>;

    void collect(AnalysisStatus& status);

    Work work_;
    std::shared_ptr<const AnalysisSettings> wanted_;
    Clock::time_point next_{}, asked_at_{};
    std::int64_t asked_step_ = 0;
    std::uint64_t asked_moment_ = 0;
    double asked_time_ = 0;
    bool asked_ = false, failed_ = false;
};

}  // namespace orrery
