// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

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
inline double thread_cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

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

/// Median and spread, in seconds.
struct Timing {
    double median = 0, low = 0, high = 0;  ///< low and high: 10th and 90th percentile
    std::size_t count = 0;
};

/// The last 64 durations.
class TimingWindow {
public:
    void add(double seconds) { values_[next_++ % values_.size()] = seconds; }
    void clear() { next_ = 0; }
    Timing timing() const {
        const std::size_t count = std::min(next_, values_.size());
        if (count == 0) return {};
        std::vector<double> sorted(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(count));
        std::ranges::sort(sorted);
        return {sorted[count / 2], sorted[count / 10], sorted[count - 1 - count / 10], count};
    }

private:
    std::array<double, 64> values_{};
    std::size_t next_ = 0;
};

/// Events per second over about the last second.
class RateMeter {
public:
    using Clock = std::chrono::steady_clock;
    void add(std::uint64_t events = 1) { events_ += events; }
    /// Resets, for example after a pause, so that the pause is not counted.
    void restart() { events_ = 0, rate_ = 0, start_ = Clock::now(); }
    double rate() {
        const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        if (seconds >= 0.5 && events_ > 0) {
            rate_ = static_cast<double>(events_) / seconds;
            events_ = 0;
            start_ = Clock::now();
        }
        return rate_;
    }

private:
    std::uint64_t events_ = 0;
    double rate_ = 0;
    Clock::time_point start_ = Clock::now();
};

}  // namespace orrery
