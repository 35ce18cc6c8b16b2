// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "core/diagnostics/diagnostics.hpp"

namespace orrery {

/// Diagnoses states on a thread of its own and of lowest priority, one at a time. No call waits for the work.
class BackgroundDiagnostics {
public:
    struct Result {
        std::uint64_t serial = 0;  ///< as given to start()
        Diagnostics diagnostics;   ///< meaningless when `failure` is not empty
        double seconds = 0;        ///< that the work took
        std::string failure;       ///< why there is no result; one line
    };

    BackgroundDiagnostics();
    BackgroundDiagnostics(const BackgroundDiagnostics&) = delete;
    BackgroundDiagnostics& operator=(const BackgroundDiagnostics&) = delete;
    ~BackgroundDiagnostics();  ///< stops within a slice

    /// Begins to work on a copy of the state. Does nothing and returns false while an earlier state is under way.
    bool start(Bodies bodies, const Gravity& gravity, Backend backend, std::uint64_t serial, Law law = Law::kGravity);
    std::optional<Result> take();  ///< the last result, once; none while there is none
    void cancel();                 ///< forgets the state under way and a result not taken yet
    bool busy() const;             ///< whether start() would refuse

private:
    struct Job {
        Bodies bodies;
        Gravity gravity;
        Backend backend;
        std::uint64_t serial;
        Law law;
        std::stop_token stop;
    };
    void work(std::stop_token stop);
    static Result run(const Job& job);

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Job> next_;   // given, not yet begun
    std::stop_source current_;  // of the job given last
    bool working_ = false;
    std::optional<Result> result_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace orrery
