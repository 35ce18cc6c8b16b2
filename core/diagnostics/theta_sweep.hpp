// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/base/background_job.hpp"
#include "core/bodies/body_system.hpp"

namespace orrery {

struct ThetaPoint {
    double theta;
    int order;       ///< order of the expansions; for a tree 1: monopoles, 2: quadrupoles
    double seconds;  ///< of one evaluation of all forces
    ForceError error;
};

/// Error and time of a tree as functions of its opening angle, as far as measured.
struct ThetaSweep {
    std::vector<ThetaPoint> points;  ///< in the order of measurement
    std::size_t planned = 0;         ///< total number of points; 0: nothing was requested
    bool running = false;
    std::size_t bodies = 0;
    std::string engine;   ///< "tree on cpu, single"
    std::string failure;  ///< why it ended early; one line
};

/// Measures a ThetaSweep on a separate low-priority thread. No call waits for the work.
class BackgroundThetaSweep {
public:
    BackgroundThetaSweep();
    ~BackgroundThetaSweep() = default;  ///< waits for one slice of an evaluation, or for one measurement of the error

    /// Starts a sweep and discards the current one, if any. `config` must select a tree engine; its acceptance
    /// criterion and order are replaced.
    void start(Bodies bodies, const Gravity& gravity, const EngineConfig& config);
    void stop();   ///< keeps the results so far
    void clear();  ///< stops, and discards the results
    /// The points so far, if they have changed since the last call.
    std::optional<ThetaSweep> take();

private:
    struct Job {
        Bodies bodies;
        Gravity gravity;
        EngineConfig config;
    };
    using Work = BackgroundJob<Job, ThetaSweep>;
    static void measure(const Work::Task& task);

    Work work_;
};

}  // namespace orrery
