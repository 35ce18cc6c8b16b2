// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/run_outputs.hpp"
#include "app/commands/run_report.hpp"
#include "core/base/error.hpp"
#include "core/simulation/kept_state.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// Outputs, limits and end of a run.
struct RunPlan {
    RunRecord record;                     ///< its end, and its first diagnostics
    std::vector<std::string> outputs;     ///< snapshots of the last state
    std::string diagnostics;              ///< table; empty: none
    std::uint64_t diagnostics_every = 0;  ///< steps; 0: about a hundred rows
    SeriesSettings series;                ///< snapshots during the run
    std::string encounters;               ///< table of encounters; empty: none
    bool energy = true;                   ///< measured at the beginning and the end
    double wall_time = 0;                 ///< maximum seconds of wall time; 0: unlimited
    double log_every = 0;                 ///< seconds between two log lines on stderr; 0: none
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
};

/// Copies of finite states, in case the state becomes non-finite. Copying takes at most a twentieth of the time.
class LastGood {
public:
    void keep(const Simulation& simulation);
    /// Writes the copy next to each of `outputs`, under a different name so that it is not mistaken for the requested
    /// state. Returns a message for the user.
    std::string write(const std::vector<std::string>& outputs) const;

private:
    using Clock = std::chrono::steady_clock;
    std::optional<Scene> scene_;
    std::int64_t step_ = 0;
    Clock::time_point next_{};
};

/// Takes steps until the end, a signal or the wall-time limit; writes checkpoints, log, table and series.
class RunWork {
public:
    RunWork(RunPlan plan, Simulation& simulation, CheckpointKeeper& checkpoints);

    RunEnd steps();  ///< throws Error if the state is no longer finite
    void write_checkpoint();
    const RunReport& report();  ///< of the final state, measured now if necessary
    std::string goal() const;   ///< "1000", or "time 60"
    /// The first row of the table that could not be written, if any; the run continued without it.
    std::optional<Error> refused_encounters() const { return met_ ? met_->refused() : std::nullopt; }
    std::optional<Error> refused_row() const { return table_ ? table_->refused() : std::nullopt; }
    const SnapshotSeries& series() const { return series_; }

private:
    using Clock = std::chrono::steady_clock;
    bool on_all(bool wanted) const;  ///< the decision of rank 0, where ranks must do the same
    bool tabulates() const { return !plan_.diagnostics.empty(); }
    bool done() const;
    double fraction() const;
    bool out_of_time() const;
    std::uint64_t steps_at_once() const;  ///< until something else has to be done
    void take_steps();
    void measure();                  ///< energies and momenta, if requested
    double measuring_takes() const;  ///< seconds of the last one, or an upper bound
    void write_row();
    void write_line();
    double since_begin() const { return std::chrono::duration<double>(Clock::now() - plan_.begun).count(); }

    RunPlan plan_;
    Simulation& simulation_;
    CheckpointKeeper& checkpoints_;
    LastGood last_good_;
    KeptState kept_;
    int losses_ = 0;  // of a device
    SnapshotSeries series_;
    std::optional<RunTable> table_;
    std::optional<EncounterTable> met_;
    RunReport report_;
    std::uint64_t row_every_ = 1;
    std::int64_t measured_ = -1, rowed_ = -1, lined_ = 0;  // step of the last measurement, row and line
    double measure_seconds_ = 0, step_seconds_ = 0, begun_fraction_ = 0;
    Clock::time_point line_at_ = Clock::now();
};

}  // namespace orrery
