// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>

namespace orrery {

/// Seconds since it was made.
class TimeTaken {
public:
    double seconds() const { return std::chrono::duration<double>{Clock::now() - start_}.count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// CPU time of the calling thread so far, in seconds.
double thread_cpu_seconds();

/// Adds up the CPU time of this thread between start() and stop().
class ThreadClock {
public:
    void start() { start_ = thread_cpu_seconds(); }
    void stop() { sum_ += thread_cpu_seconds() - start_; }
    double take() {  ///< seconds since the last call
        const double sum = sum_;
        sum_ = 0;
        return sum;
    }

private:
    double start_ = 0, sum_ = 0;
};

}  // namespace orrery
