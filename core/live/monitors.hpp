// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/background.hpp"
#include "core/base/background_job.hpp"
#include "core/base/clock.hpp"
#include "core/bodies/body_errors.hpp"
#include "core/bodies/body_state.hpp"
#include "core/bodies/frame.hpp"
#include "core/bodies/interpolation.hpp"
#include "core/live/status.hpp"

namespace orrery {

// Monitors compute quantities of a running simulation at intervals and store them in its status. They belong to the
// simulation's thread. While a series is played they use only its snapshots, because bodies in between are
// interpolated: `snapshot` is the last one reached, or null if the bodies are the simulation's own.

class Simulation;

/// When a monitor may analyse the next state, and which state it analysed last.
class MonitorSchedule {
public:
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;
    struct Requested {
        std::uint64_t moment;
        std::int64_t step;
        double time;           ///< scene time
        Clock::time_point at;  ///< wall time
        EncounterLedger ledger;
    };

    void restart() { next_ = Clock::now(), requested_.reset(), ended_ = false; }  ///< a state may be analysed at once
    void end() { ended_ = true; }                                                 ///< until restart()
    void repeat() { requested_.reset(); }  ///< the same state may be analysed again
    void rest_until(Clock::time_point then) { next_ = then; }
    /// Rests until this long after the last request.
    void rest_since_request(Seconds period) {
        next_ = requested_->at + std::chrono::duration_cast<Clock::duration>(period);
    }

    bool ended() const { return ended_; }
    /// True if the present state has not been analysed, between two steps, after the rest.
    bool due(const Simulation& simulation, const Interpolation::Moment& snapshot) const;
    /// Call when the analysis of the present state is requested.
    void request(const Simulation& simulation, const Interpolation::Moment& snapshot);
    const Requested& requested() const { return *requested_; }

private:
    Clock::time_point next_{};
    std::optional<Requested> requested_;
    bool ended_ = false;
};

/// Computes one result at a time on its own thread, from a copy of a simulation's state. After a failure it computes
/// nothing until restart(): it would only fail again.
template <class Job, class Value>
class Monitor {
public:
    struct Result {
        std::shared_ptr<const Value> value;  ///< null: see `failure`
        double seconds = 0;
        std::string failure;
    };
    /// Null: no result and no failure. Called on the monitor's thread.
    using Compute = std::function<std::optional<Result>(const Job&, const std::stop_token&)>;

    explicit Monitor(Compute compute)
        : work_{[compute = std::move(compute)](const typename Work::Task& task) {
                    if (auto result = compute(task.job(), task.stop()))
                        task.publish([&](std::optional<Result>& latest) { latest = std::move(*result); });
                },
                [](std::optional<Result>& latest, const std::string& failure) {
                    if (!failure.empty()) latest = {nullptr, 0, failure};
                }} {}

    /// Discards earlier results.
    void restart() {
        work_.forget([](std::optional<Result>& latest) { latest.reset(); });
        schedule.restart();
    }
    /// The finished result, once.
    std::optional<Result> collect() {
        auto result =
            work_.take([](std::optional<Result>& latest, bool) { return std::exchange(latest, std::nullopt); });
        if (result && !result->value) schedule.end();
        return result;
    }
    bool due(const Simulation& simulation, const Interpolation::Moment& snapshot) const {
        return schedule.due(simulation, snapshot) && !work_.busy();
    }
    void start(Job job) {
        work_.start(std::move(job), [](std::optional<Result>& latest) { latest.reset(); });
    }

    MonitorSchedule schedule;

private:
    using Work = BackgroundJob<Job, std::optional<Result>>;
    Work work_;
};

/// Energy and momentum.
class EnergyMonitor {
public:
    /// Discards earlier results; call for other bodies or another law. Sets a note in `status` if there will be no
    /// energy.
    void restart(const Simulation& simulation, EnergyStatus& status);
    /// Starts no energy before this time: more edits may follow.
    void rest_until(MonitorSchedule::Clock::time_point then) { schedule_.rest_until(then); }
    /// Collects a finished energy and requests the next one; between two steps.
    void take(const Simulation& simulation, const Interpolation::Moment& snapshot, EnergyStatus& status);
    /// Time until the next energy, after one that took this long: by default twenty times as long (5 % of the time),
    /// but at most ten seconds unless that were more than a fifth of the time.
    static std::chrono::duration<double> gap_after(std::chrono::duration<double> one);
    /// False if there will be no energies: triplets of many bodies take too long.
    static bool watches(const Simulation& simulation);

private:
    void collect(EnergyStatus& status);

    BackgroundDiagnostics energies_;
    MonitorSchedule schedule_;
};

/// Lagrangian radii, density profile, centres, momenta and the closest pair, computed in 5 % of the time. The cost of
/// one analysis is the wall time of the copy, for which the simulation waits, plus the CPU time of one of the threads
/// that share the analysis, which is the loss of each core.
class StructureMonitor {
public:
    static constexpr double kShare = 20;    ///< uses one part in this many of the time
    static constexpr double kPeriod = 0.2;  ///< minimum seconds between analyses

    StructureMonitor();
    /// Discards earlier results; call for other bodies. Sets a note in `status` if there will be none.
    void restart(const Simulation& simulation, StructureStatus& status);
    void rest_until(MonitorSchedule::Clock::time_point then) { monitor_.schedule.rest_until(then); }
    void take(const Simulation& simulation, const Interpolation::Moment& snapshot, StructureStatus& status);

private:
    struct Job {
        mutable std::shared_ptr<const BodyCopy> bodies;  // freed as soon as they are on the host
    };
    void collect(StructureStatus& status);

    Monitor<Job, Structure> monitor_;
    double copy_seconds_ = 0;
};

/// The requested plot of the bodies, computed in a tenth of the time of the cores.
class AnalysisMonitor {
public:
    static constexpr double kShare = 10;    ///< uses one part in this many of the time
    static constexpr double kPeriod = 0.2;  ///< minimum seconds between plots

    AnalysisMonitor();
    /// Sets the requested plot; null: none.
    void want(std::shared_ptr<const AnalysisSettings> settings, AnalysisStatus& status);
    /// Discards earlier results; call for other bodies.
    void restart(AnalysisStatus& status);
    void rest_until(MonitorSchedule::Clock::time_point then) { monitor_.schedule.rest_until(then); }
    void take(const Simulation& simulation, AnalysisStatus& status);

private:
    struct Job {
        mutable std::shared_ptr<const BodyCopy> bodies;  // freed as soon as they are on the host
        mutable Scene scene;                             // without bodies, but with their species
        AnalysisSettings settings;
    };
    void collect(AnalysisStatus& status);

    Monitor<Job, AnalysisResult> monitor_;
    std::shared_ptr<const AnalysisSettings> wanted_;
};

/// The monitors of the bodies' state.
class StateMonitors {
public:
    /// Call for other bodies.
    void restart(const Simulation& simulation, Status& status);
    void restart_energy(const Simulation& simulation, Status& status) { energy_.restart(simulation, status.energy); }
    void rest_until(MonitorSchedule::Clock::time_point then);
    void want_analysis(std::shared_ptr<const AnalysisSettings> settings, Status& status);
    /// Collects finished results and requests the next ones; between two steps.
    void take(const Simulation& simulation, const Interpolation::Moment& snapshot, Status& status);

private:
    EnergyMonitor energy_;
    StructureMonitor structure_;
    AnalysisMonitor analysis_;
};

/// Collects times and results of a running simulation's force evaluations: engine report, errors, tree cells. Each is
/// collected at intervals, so that it takes a small part of the time.
class ForceMonitor {
public:
    /// Discards earlier measurements; call for another engine or other bodies.
    void forget(Status& status);
    void measure_soon() { next_error_ = Clock::now(); }  ///< measurements are no longer valid

    /// Call when an evaluation is complete.
    void evaluated(const Simulation& simulation);
    /// Collects report and error, if they are due.
    void take(const Simulation& simulation, Status& status);
    void take_report(const Simulation& simulation, Status& status);
    Timing timing() const { return times_.timing(); }

    /// Requests complete levels of cells from the root down, at most `most` cells; 0: none.
    void want_cells(std::size_t most);
    /// True if cells or colours are requested but their forces have not been computed, at the start of a scene or
    /// engine, or if they need the rest of the current step.
    bool wanted(const Simulation& simulation) const;
    /// True if they are needed and may be computed now. Within a step they wait for its end: the motion must not depend
    /// on observation.
    bool due(const Simulation& simulation) const;
    void take_cells_next() { next_cells_ = Clock::now(); }
    /// Cells of the last complete evaluation; may be slightly old, except with `each`, for frames viewed one by one.
    std::shared_ptr<const std::vector<TreeCell>> cells(const Simulation& simulation, bool each);

private:
    using Clock = std::chrono::steady_clock;
    void measure(const Simulation& simulation, Status& status);

    TimingWindow times_;
    std::shared_ptr<const std::vector<TreeCell>> cells_;
    std::size_t most_cells_ = 0;
    Clock::time_point next_error_{}, next_report_{}, next_cells_{};
};

/// Errors of all bodies for ColorBy::kError, measured in a tenth of the time while frames show them.
class BodyErrorMonitor {
public:
    static constexpr double kShare = 10;    ///< uses one part in this many of the time
    static constexpr double kPeriod = 0.2;  ///< minimum seconds between measurements

    BodyErrorMonitor();
    /// Discards errors in progress; call for another engine, another law or other bodies.
    void restart() { monitor_.restart(); }
    void rest_until(MonitorSchedule::Clock::time_point then) { monitor_.schedule.rest_until(then); }
    /// Gives finished errors to the simulation, and requests those of its present forces. Returns whether the colours
    /// have changed.
    bool take(Simulation& simulation);

private:
    struct Job {
        mutable std::shared_ptr<const BodyCopy> bodies;  // freed as soon as they are on the host
        Law law;
        Gravity gravity;
        std::vector<double> charge;
    };
    Monitor<Job, BodyErrors> monitor_;
    bool shown_ = false;
};

/// Stores the positions of a few bodies after steps that no frame shows, and adds them to the next frame: with many
/// steps between frames, a trail through the frames alone would consist of chords.
class TrailMonitor {
public:
    static constexpr std::size_t kMostBodies = 1024;     ///< with more bodies, trails use only frames
    static constexpr std::size_t kMostPlaces = 1 << 16;  ///< between two frames; beyond it every second one is dropped
    static constexpr std::size_t kMostPacedPlaces = 1 << 20;

    /// Records every so many steps; 0: off.
    void want(int every);
    bool on(const Simulation& simulation) const;
    int every() const { return every_; }
    /// Call after steps. `paced`: record each call, so that a recording draws the same as `record`.
    void stepped(Simulation& simulation, bool paced);
    /// Moves the stored positions into the frame. `taken`: the previous frame was taken; otherwise its positions are
    /// included again.
    void fill(Frame& frame, bool taken);
    void forget();

private:
    void keep(Simulation& simulation);
    void thin();

    int every_ = 0;
    std::int64_t spacing_ = 1;
    std::size_t bodies_ = 0;
    std::vector<std::int64_t> steps_;  // oldest first
    std::vector<Vec4f> places_;        // all bodies, for each of steps_
    std::size_t handed_ = 0;           // number of steps already in the last frame
    std::int64_t last_ = 0;            // last recorded step
    bool any_ = false;                 // last_ is valid
    std::vector<std::uint32_t> all_;
    Frame state_;
};

}  // namespace orrery
