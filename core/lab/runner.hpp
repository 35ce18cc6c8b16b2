// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "core/base/background_job.hpp"
#include "core/lab/experiments.hpp"

namespace orrery {

/// The results of an experiment so far.
struct LabRun {
    std::string experiment;  ///< id; empty: nothing was requested
    LabConfig config;        ///< as requested, without its callbacks
    LabTable table;
    std::uint64_t done = 0, total = 0;  ///< rows; total is 0 until the first measurement
    std::string next;                   ///< the current measurement
    bool running = false;
    bool cancelled = false;
    std::string failure;  ///< why it ended early; one line
};

/// Runs experiments of the laboratory on a separate low-priority thread. No call waits for it.
class BackgroundLab {
public:
    BackgroundLab();
    ~BackgroundLab() = default;  ///< waits for one run of a map and its check

    /// Starts an experiment and discards the current one, if any. The callbacks of `config` are replaced. Throws
    /// Error{kUsage} if there is no such experiment; other errors in `config` are reported in LabRun::failure.
    void start(const std::string& experiment, LabConfig config);
    void cancel();  ///< stops after the current run of a map; keeps the results so far
    /// Updates `run`, as left by the previous call. Returns true if anything has changed.
    bool update(LabRun& run);

private:
    struct Job {
        LabEntry entry;
        LabConfig config;
    };
    struct News {
        LabRun run;          // its rows are those not yet returned by update()
        bool fresh = false;  // true if the job differs from that of the last update()
    };
    using Work = BackgroundJob<Job, News>;
    static void measure(const Work::Task& task);

    Work work_;
};

}  // namespace orrery
