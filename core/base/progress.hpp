// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace orrery {

/// A progress bar on stderr, drawn at most ten times a second and only if stderr is a terminal. The window displays the
/// value of shown().
class Progress {
public:
    /// `begun`: work done before, excluded from the estimate of the remaining time.
    Progress(std::string label, std::uint64_t total, std::uint64_t begun = 0);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();  ///< erases the bar

    /// `done` of the total; `note` is shown after the bar.
    void update(std::uint64_t done, const std::string& note = {});
    /// Progress, 0 to 1, of the last updated bar of this process; below 0 if there is none. Thread-safe.
    static double shown();

private:
    std::string label_;
    std::uint64_t total_, begun_;
    bool terminal_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point start_, last_{};
};

}  // namespace orrery
