// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/diagnostics.hpp"
#include "core/base/background_job.hpp"
#include "core/bodies/body_state.hpp"
#include "core/bodies/body_system.hpp"

namespace orrery {

/// The engine for the potential of a monitored state: energy_engine() while that takes at most some seconds; beyond
/// 65 536 bodies on the CPU and 524 288 with CUDA, for Plummer-softened gravity, a tree in double with quadrupoles and
/// θ = 0.5, whose W was within 5e-6 of the exact one for Plummer spheres of 16 384 and 100 000 bodies.
EngineConfig watched_energy_engine(Law law, PairLaw pairs, Backend backend, std::size_t bodies);

/// Computes diagnostics of states on a separate thread with the lowest priority, one state at a time; on a device in
/// short slices with pauses between them. No call waits for the work.
class BackgroundDiagnostics {
public:
    struct Result {
        std::uint64_t serial = 0;  ///< as given to start()
        Diagnostics diagnostics;   ///< meaningless when `failure` is not empty
        double seconds = 0;        ///< of the work, without its pauses
        std::string failure;       ///< why there is no result; one line
    };

    BackgroundDiagnostics();
    ~BackgroundDiagnostics() = default;  ///< stops within a slice

    /// Starts working on a copy of the state, whose bodies have these charges, if any. Returns false and does nothing
    /// while an earlier state is in progress.
    bool start(std::shared_ptr<const BodyCopy> bodies, const Gravity& gravity, Backend backend, std::uint64_t serial,
               Law law = Law::kPairs, std::vector<double> charge = {});
    bool start(const Bodies& bodies, const Gravity& gravity, Backend backend, std::uint64_t serial,
               Law law = Law::kPairs);
    std::optional<Result> take();  ///< the last result, once; empty if there is none
    void cancel();                 ///< discards the current state and a result not yet taken
    bool busy() const;             ///< true if start() would refuse

private:
    struct Job {
        mutable std::shared_ptr<const BodyCopy> bodies;  // released as soon as they are on the host
        Gravity gravity;
        Backend backend;
        std::uint64_t serial;
        Law law;
        std::vector<double> charge;
    };
    using Work = BackgroundJob<Job, std::optional<Result>>;
    static void run(const Work::Task& task);

    Work work_;
};

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
