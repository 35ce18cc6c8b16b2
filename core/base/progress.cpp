// SPDX-License-Identifier: MIT
#include "core/base/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace orrery {

using Clock = std::chrono::steady_clock;

Progress::Progress(std::string label, std::uint64_t total)
    : label_{std::move(label)},
      total_{std::max<std::uint64_t>(total, 1)},
      terminal_{isatty(STDERR_FILENO) == 1},
      start_{Clock::now()} {}

Progress::~Progress() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::uint64_t done, const std::string& note) {
    if (!terminal_) return;
    const auto now = Clock::now();
    if (drawn_ && now - last_ < std::chrono::milliseconds{100}) return;
    last_ = now;
    drawn_ = true;
    const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    const auto filled = static_cast<std::size_t>(fraction * 30);
    const std::string left = done > 0 ? fmt::format("{:.0f} s left", elapsed * (1 / fraction - 1)) : std::string{};
    fmt::print(stderr, "\r{} [{:━<{}}{:<{}}] {:3.0f} % {} {}\033[K", label_, "", filled, "", 30 - filled,
               100 * fraction, left, note);
    std::fflush(stderr);
}

}  // namespace orrery
