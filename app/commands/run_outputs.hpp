// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene_file.hpp"
#include "core/analysis/structure.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/encounters/encounters.hpp"
#include "core/simulation/checkpoint.hpp"
#include "core/simulation/series_writer.hpp"
#include "core/simulation/simulation.hpp"

namespace CLI {
class App;
}

namespace orrery {

/// A CSV table written during a run, with the step in the first column. Each row is on disk at once, so that a run can
/// be monitored and an interrupted run leaves its results. Locked against other processes that write the same table.
class RunTable {
public:
    /// `titles`: its first line. Continues an existing table if the run continues after `steps`: later rows are
    /// dropped, because they will be written again. Throws Error{kEnvironment} with the path, kUsage for other titles.
    RunTable(std::string path, const std::string& titles, std::uint64_t steps);
    /// Adds lines, given without the last newline, completely or not at all. The first failure is reported as
    /// "`missing`, and the run continues".
    void add(const std::string& rows, const std::string& missing);
    const std::optional<Error>& refused() const { return refused_; }  ///< the first failure

private:
    void write(const std::string& lines);

    std::string path_;
    Descriptor file_;
    std::optional<Error> refused_;
};

/// Files that a run writes at its end from its diagnostics table and the last state.
struct DiagnosticsOutputs {
    std::string plot;     ///< SVG of the table; empty: none, as for the next two
    std::string hdf5;     ///< the table as HDF5
    std::string profile;  ///< density profile of the last state, CSV
};

void add_diagnostics_outputs(CLI::App& app, DiagnosticsOutputs& outputs);

/// Throws for invalid requests: no table to plot, a path that cannot be written, no HDF5. An empty `table` means none.
void check(const DiagnosticsOutputs& outputs, const std::string& table);
/// Writes them from the table's file. `title` and `note` are printed above the plot. Returns the paths.
std::vector<std::string> write(const DiagnosticsOutputs& outputs, const std::string& table, const std::string& title,
                               const std::string& note, const Structure* last);

/// The table of all encounters that `run --encounters-csv` writes.
class EncounterTable {
public:
    /// For a run that continues after `steps`, with `log` up to there. Throws as RunTable does.
    EncounterTable(std::string path, const EncounterLog& log, std::uint64_t steps);
    void add(const EncounterLog& log);  ///< call after each step: adds the new ones
    const std::optional<Error>& refused() const { return table_.refused(); }

private:
    RunTable table_;
    std::uint64_t written_;
};

struct CheckpointOptions {
    std::string path;  ///< empty: none
    std::uint64_t every_steps = 0;
    double every_minutes = 0;  ///< both 0: every kDefaultMinutes

    static constexpr double kDefaultMinutes = 10;
};
void add_checkpoints(CLI::App& app, CheckpointOptions& options);  ///< --checkpoint --every-steps --every-minutes

/// Writes the checkpoints of a run when they are due. A failed write is reported and repeated when the next one is due;
/// the previous checkpoint stays, and the run continues.
class CheckpointKeeper {
public:
    /// Throws Error{kUsage} for an interval without a file, Error{kEnvironment} if the file cannot be written.
    explicit CheckpointKeeper(CheckpointOptions options);

    bool on() const { return !options_.path.empty(); }
    const std::string& path() const { return options_.path; }
    std::uint64_t steps_left(const Simulation& simulation) const;  ///< until one is due by its number
    bool due(const Simulation& simulation) const;
    /// Writes the one that is due.
    void stepped(Simulation& simulation, const RunRecord& run);
    void write(Simulation& simulation,
               const RunRecord& run);            ///< writes one now, unless this step has one. Throws on failure
    std::string log_text() const;                ///< ", checkpoint at step 1200", or nothing
    double seconds() const { return seconds_; }  ///< seconds that the last one took

private:
    using Clock = std::chrono::steady_clock;

    CheckpointOptions options_;
    std::optional<std::int64_t> written_;  // step of the last one
    Clock::time_point tried_ = Clock::now();
    double seconds_ = 0;
};

void add_series(CLI::App& app, SeriesSettings& settings);  ///< --snapshots and the rest

/// Numbered snapshots of a run; number k is the first state at or after k intervals. A separate thread writes them
/// while the run continues; at most two wait for it. One that cannot be written is reported; the run and later
/// snapshots continue.
class SnapshotSeries {
public:
    /// Throws Error: kUsage for a name without a number, an unknown extension, an interval without names, or
    /// accelerations with an integrator whose steps do not end with them; kEnvironment if files cannot be written. For
    /// a resumed run, snapshots up to its state are assumed to exist.
    SnapshotSeries(const SeriesSettings& settings, Simulation& simulation, const RunRecord& run);
    SnapshotSeries(const SnapshotSeries&) = delete;
    SnapshotSeries& operator=(const SnapshotSeries&) = delete;

    /// True if the next snapshot needs forces that no step has evaluated yet.
    bool wants_forces(const Simulation& simulation) const;
    std::uint64_t steps_left(const Simulation& simulation) const;  ///< until one may be due
    void stepped(Simulation& simulation);                          ///< call before the first step and after each one
    void settle() {                                                ///< waits until all due snapshots are on disk
        if (writer_) writer_->settle();
    }
    std::uint64_t written() const {
        return writer_ ? writer_->written() : written_;
    }  ///< number of files, after settle()
    /// The first error, after settle().
    std::optional<Error> refused() const { return writer_ ? writer_->refused() : refused_; }

private:
    std::int64_t number_at(const Simulation& simulation) const;
    void require_sound(const Simulation& simulation) const;
    /// Writes one of bodies that several ranks own. Collective.
    void write(std::int64_t number, const Simulation& simulation, const PartPower& part);

    SeriesSettings settings_;
    Scene scene_;  // without the bodies
    std::uint64_t every_ = 0;
    double interval_ = 0;
    std::int64_t last_ = -1;              // number of the last one that was due
    std::optional<SeriesWriter> writer_;  // unless ranks own bodies
    std::uint64_t written_ = 0;           // by write()
    std::optional<Error> refused_;        // by write()
};

}  // namespace orrery
