// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "core/base/background_job.hpp"
#include "core/lab/experiments.hpp"

namespace orrery {

/// An experiment, as far as measured.
struct LabRun {
    std::string experiment;  ///< id; empty: nothing was asked for
    LabConfig config;        ///< as asked for, without its callbacks
    LabTable table;
    std::uint64_t done = 0, total = 0;  ///< rows; total is 0 until the first measurement
    std::string next;                   ///< what is measured now
    bool running = false;
    bool cancelled = false;
    std::string failure;  ///< why it ended early; one line
};

/// Runs experiments of the laboratory on a thread of its own, which gives way to all others. No call waits for it.
class BackgroundLab {
public:
    BackgroundLab();
    ~BackgroundLab() = default;  ///< waits for one run of a map, and its check

    /// Begins, in place of what was under way. The callbacks of `config` are replaced. Throws Error{kUsage} when there
    /// is no such experiment; what else is wrong with `config` is told in LabRun::failure.
    void start(const std::string& experiment, LabConfig config);
    void cancel();  ///< ends after the run of a map that is under way; what was measured stays
    /// Brings `run`, as this function left it, up to date. Returns whether anything has changed.
    bool update(LabRun& run);

private:
    struct Job {
        LabEntry entry;
        LabConfig config;
    };
    struct News {
        LabRun run;          // its rows are those that update() has not given yet
        bool fresh = false;  // of another job than what update() gave last
    };
    using Work = BackgroundJob<Job, News>;
    static void measure(const Work::Task& task);

    Work work_;
};

}  // namespace orrery
