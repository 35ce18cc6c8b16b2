// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/base/background_job.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery {

struct Status;

/// Writes the present state as a checkpoint in the background, while the steps go on. Belongs to the simulation's
/// thread; no call waits for the disk.
class StateKeeper {
public:
    StateKeeper();

    /// The state at the next end of a step, to this path; empty: what was asked for and has not begun is forgotten.
    void ask(std::string path) { path_ = std::move(path); }
    bool wanted() const { return !path_.empty(); }
    void take(const Simulation& simulation);  ///< not within a step; nothing while the last one is being written
    void tell(Status& status);                ///< what has become of it

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
