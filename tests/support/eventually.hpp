// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <functional>
#include <thread>

namespace orrery::test {

/// Waits for what another thread will bring about; false when it has not within a minute.
inline bool eventually(const std::function<bool()>& condition) {
    using Clock = std::chrono::steady_clock;
    for (const auto end = Clock::now() + std::chrono::seconds{60}; Clock::now() < end;
         std::this_thread::sleep_for(std::chrono::milliseconds{1}))
        if (condition()) return true;
    return false;
}

}  // namespace orrery::test
