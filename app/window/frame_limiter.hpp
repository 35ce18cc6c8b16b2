// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <thread>

namespace orrery {

/// Holds a loop to so many rounds per second. A round that came late is not made up for.
class FrameLimiter {
public:
    using Clock = std::chrono::steady_clock;
    explicit FrameLimiter(double per_second)
        : period_{std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / per_second))} {}

    Clock::duration left() const { return next_ + period_ - Clock::now(); }  ///< that wait() would wait

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
