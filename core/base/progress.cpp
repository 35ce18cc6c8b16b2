// SPDX-License-Identifier: MIT
#include "core/base/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "core/base/standard_streams.hpp"

namespace orrery {

using Clock = std::chrono::steady_clock;

namespace {

std::atomic<double> latest = -1;  // global: a process has one terminal and one window

}  // namespace

double Progress::shown() { return latest; }

Progress::Progress(std::string label, std::uint64_t total, std::uint64_t begun)
    : label_{printable(label)},
      total_{std::max<std::uint64_t>(total, 1)},
      begun_{begun},
      terminal_{isatty(STDERR_FILENO) == 1},
      start_{Clock::now()} {}

Progress::~Progress() {
    latest = -1;
    if (drawn_) draw_on_stderr("\r\033[K");
}

void Progress::update(std::uint64_t done, const std::string& note) {
    const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    latest = fraction;
    if (!terminal_) return;
    const auto now = Clock::now();
    if (drawn_ && now - last_ < std::chrono::milliseconds{100}) return;
    last_ = now;
    drawn_ = true;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    const auto filled = static_cast<std::size_t>(fraction * 30);
    const double each = done > begun_ ? elapsed / static_cast<double>(done - begun_) : 0;
    const double more = static_cast<double>(total_ - std::min(done, total_));
    const std::string left = done > begun_ ? fmt::format("{:.0f} s left", each * more) : std::string{};
    draw_on_stderr(fmt::format("\r{} [{:━<{}}{:<{}}] {:3.0f} % {} {}\033[K", label_, "", filled, "", 30 - filled,
                               100 * fraction, left, printable(note)));
}

}  // namespace orrery
