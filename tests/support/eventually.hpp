// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <functional>
#include <thread>

#include "tests/support/slowness.hpp"

namespace orrery::test {

/// Waits until another thread has made the condition true; false after a minute, or longer on a slow build.
inline bool eventually(const std::function<bool()>& condition) {
    using Clock = std::chrono::steady_clock;
    for (const auto end = Clock::now() + std::chrono::duration<double>{60 * slowness()}; Clock::now() < end;
         std::this_thread::sleep_for(std::chrono::milliseconds{1}))
        if (condition()) return true;
    return false;
}

}  // namespace orrery::test
