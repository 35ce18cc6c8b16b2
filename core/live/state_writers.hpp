// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "core/base/background_job.hpp"
#include "core/live/actions.hpp"
#include "core/simulation/checkpoint.hpp"
#include "core/simulation/series_writer.hpp"

namespace orrery {

// Writers of states of a running simulation. They belong to the simulation's thread; no call waits for the disk.

struct Status;

/// Writes the present state as a checkpoint in the background while the simulation continues.
class CheckpointWriter {
public:
    CheckpointWriter();

    /// Requests a checkpoint of the state at the end of the current step; an empty path cancels a request not yet
    /// begun.
    void ask(std::string path) { path_ = std::move(path); }
    bool wanted() const { return !path_.empty(); }
    void take(const Simulation& simulation);  ///< not within a step; does nothing while the last one is being written
    void report_to(Status& status);           ///< outcome of the last request

private:
    struct Job {
        Checkpoint checkpoint;
        std::string path;
    };
    struct News {
        bool written = false;
        std::string failure;
    };
    std::string path_;
    BackgroundJob<Job, News> writing_;
};

/// Writes a snapshot every so many steps in the background. Times increase: after time ran backward or was rewound, the
/// next snapshot is later than the last.
class SnapshotRecorder {
public:
    /// The first snapshot is taken at the end of the current step. Throws Error: kUsage for a name without a number or
    /// an unknown extension, or while a series is being written; kEnvironment if the file is not writable.
    void begin(const Simulation& simulation, const RecordSnapshots& wish);
    void end() { on_ = false; }
    void adopt_bodies(const Simulation& simulation);  ///< call when names and ids have changed
    void take(const Simulation& simulation);          ///< if a snapshot is due and there is room
    /// True if a snapshot is due but there is no room yet: no step may be taken.
    bool waits(const Simulation& simulation) const { return due(simulation) && !writer_->room(); }
    std::uint64_t steps_left(const Simulation& simulation) const;  ///< until the next snapshot is due
    void report_to(Status& status);

private:
    bool due(const Simulation& simulation) const;

    std::unique_ptr<SeriesWriter> writer_;  // of the current or ending series
    std::shared_ptr<const Bodies> labels_;
    std::uint64_t every_ = 1;
    std::int64_t number_ = 0, next_ = 0;  // number of the next snapshot, and its earliest step
    std::string failure_;                 // one line, not yet reported
    bool on_ = false, failed_ = false;
};

}  // namespace orrery
