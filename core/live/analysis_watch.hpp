// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/background_job.hpp"
#include "core/bodies/body_copy.hpp"
#include "core/live/analysis_status.hpp"

namespace orrery {

class Simulation;

/// Makes the plot that is looked at of a running simulation, in the background, from copies of its bodies: again and
/// again while they move, so that it takes a tenth of the time of the cores. Belongs to the simulation's thread.
class AnalysisWatch {
public:
    static constexpr double kShare = 10;    ///< one part in this many of the time
    static constexpr double kPeriod = 0.2;  ///< minimum seconds between two

    AnalysisWatch();

    /// What is looked at; null: nothing.
    void want(std::shared_ptr<const AnalysisSettings> settings, AnalysisStatus& status);
    /// Discards earlier results: other bodies.
    void restart(AnalysisStatus& status);
    void rest_until(std::chrono::steady_clock::time_point then) { next_ = then; }  ///< as EnergyWatch does
    /// Collects a finished result and requests the next, between two steps.
    void take(const Simulation& simulation, AnalysisStatus& status);

private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        mutable std::shared_ptr<const BodyCopy> bodies;  // dropped as soon as they are on the host
        mutable Scene scene;                             // without its bodies, but with their species
        AnalysisSettings settings;
    };
    struct Result {
        std::shared_ptr<const AnalysisResult> made;  // null when `failure` says why
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
