// SPDX-License-Identifier: MIT
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "core/base/standard_streams.hpp"

namespace orrery {

/// From now on, or no more, details go to stderr: --verbose.
void show_details(bool shown) noexcept;
bool details_are_shown() noexcept;

/// A line about what the program chose, or how long something took.
template <class... T>
void print_detail(fmt::format_string<T...> format, T&&... values) {
    if (details_are_shown()) to_stderr("orrery: {}\n", fmt::format(format, std::forward<T>(values)...));
}

/// Seconds since it was made.
class TimeTaken {
public:
    double seconds() const { return std::chrono::duration<double>{Clock::now() - start_}.count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

}  // namespace orrery
