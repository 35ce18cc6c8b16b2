// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>

#include "core/bodies/body_system.hpp"

namespace orrery {

/// Times the work of the calling thread, which computes before it returns.
class HostStopwatch final : public Stopwatch {
public:
    void start() override { start_ = Clock::now(); }
    void hold() override { held_ = Clock::now(); }
    double seconds() override { return std::chrono::duration<double>(held_ - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_{}, held_{};
};

}  // namespace orrery
