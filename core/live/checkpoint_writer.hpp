// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/base/background_job.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery {

struct Status;

/// Writes the present state as a checkpoint in the background while the simulation continues. Belongs to the
/// simulation's thread; no call waits for the disk.
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

}  // namespace orrery
