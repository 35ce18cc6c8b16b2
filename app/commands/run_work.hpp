// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/run_checkpoints.hpp"
#include "app/commands/run_report.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// What a run does beside its steps.
struct RunPlan {
    RunRecord record;                     ///< its end, and how it began
    std::vector<std::string> outputs;     ///< snapshots of the last state
    std::string diagnostics;              ///< table; empty: none
    std::uint64_t diagnostics_every = 0;  ///< steps; 0: about a hundred rows
    bool energy = true;                   ///< at the beginning and the end
    double wall_time = 0;                 ///< seconds that it may take; 0: as long as it likes
    double log_every = 0;                 ///< seconds from one line on stderr to the next; 0: none
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
};

/// The present state as a scene of its own, with the time it has reached.
Scene present(const Simulation& simulation);

/// Copies of a state that is well, for the day it no longer is. They cost at most a twentieth of the time.
class LastGood {
public:
    void keep(const Simulation& simulation);
    /// Writes the copy beside each of `outputs`: under their own names it would pass for the state asked for. Returns
    /// what a person must know of it.
    std::string write(const std::vector<std::string>& outputs) const;

private:
    using Clock = std::chrono::steady_clock;
    std::optional<Scene> scene_;
    std::int64_t step_ = 0;
    Clock::time_point next_{};
};

/// Takes the steps until the end, a signal or the clock on the wall; writes checkpoints, log and table on the way.
class RunWork {
public:
    RunWork(RunPlan plan, Simulation& simulation, CheckpointKeeper& checkpoints);

    RunEnd steps();  ///< throws Error when the state is lost
    void write_checkpoint() { checkpoints_.write(simulation_, plan_.record); }
    const RunReport& report();  ///< of the end, measured now where it need be
    std::string goal() const;   ///< "1000", or "time 60"

private:
    using Clock = std::chrono::steady_clock;
    bool done() const;
    double fraction() const;
    bool out_of_time() const;
    std::uint64_t steps_at_once() const;  ///< after which nothing has to be done
    void take_steps();
    void measure();                  ///< energies and momenta, if they are asked for
    double measuring_takes() const;  ///< seconds, as the last time, or at most
    void write_row();
    void write_line();
    double since_begin() const { return std::chrono::duration<double>(Clock::now() - plan_.begun).count(); }

    RunPlan plan_;
    Simulation& simulation_;
    CheckpointKeeper& checkpoints_;
    LastGood last_good_;
    std::optional<DiagnosticsTable> table_;
    RunReport report_;
    std::uint64_t row_every_ = 1;
    std::int64_t measured_ = -1, rowed_ = -1, lined_ = 0;  // step of the last measurement, row and line
    double measure_seconds_ = 0, step_seconds_ = 0, begun_fraction_ = 0;
    Clock::time_point line_at_ = Clock::now();
};

}  // namespace orrery
