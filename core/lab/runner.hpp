// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

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
    BackgroundLab(const BackgroundLab&) = delete;
    BackgroundLab& operator=(const BackgroundLab&) = delete;
    ~BackgroundLab();  ///< waits for one measurement

    /// Begins, in place of what was under way. The callbacks of `config` are replaced. Throws Error{kUsage} when there
    /// is no such experiment; what else is wrong with `config` is told in LabRun::failure.
    void start(const std::string& experiment, LabConfig config);
    void cancel();  ///< ends after the measurement under way; what was measured stays
    /// Brings `run`, as this function left it, up to date. Returns whether anything has changed.
    bool update(LabRun& run);

private:
    struct Job {
        LabEntry entry;
        LabConfig config;
        std::uint64_t serial;
        std::stop_token stop;
    };
    void work(const std::stop_token& stop);
    void measure(const Job& job);
    /// Changes what update() gives, unless another job was given since.
    template <class Change>
    void publish(const Job& job, const Change& change);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Job> next_;   // given, not yet begun
    std::stop_source current_;  // of the job given last
    std::uint64_t serial_ = 0;  // likewise
    LabRun news_;               // its rows are those that update() has not given yet
    bool fresh_ = false;        // news_ is of another job than what update() gave last
    bool changed_ = false;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace orrery
