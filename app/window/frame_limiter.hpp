// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <thread>

namespace orrery {

/// Limits a loop to this many iterations per second. Late iterations are not made up for.
class FrameLimiter {
public:
    using Clock = std::chrono::steady_clock;
    explicit FrameLimiter(double per_second)
        : period_{std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / per_second))} {}

    Clock::duration left() const { return next_ + period_ - Clock::now(); }  ///< time that wait() would sleep

    void wait() {
        next_ += period_;
        if (const auto now = Clock::now(); next_ < now)
            next_ = now;
        else
            std::this_thread::sleep_until(next_);
    }

private:
    Clock::duration period_;
    Clock::time_point next_ = Clock::now();
};

}  // namespace orrery
