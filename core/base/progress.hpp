// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace orrery {

/// A progress bar on stderr, drawn at most ten times a second and only when stderr is a terminal. A window shows the
/// same, which it asks for by shown().
class Progress {
public:
    /// `begun`: done before, so that the time that is left is worked out from what comes.
    Progress(std::string label, std::uint64_t total, std::uint64_t begun = 0);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();  ///< erases the bar

    /// `done` of the total; `note` is shown behind the bar.
    void update(std::uint64_t done, const std::string& note = {});
    /// How far the work is, 0 to 1, that a bar of this process was last updated for; below 0: there is none. From any
    /// thread.
    static double shown();

private:
    std::string label_;
    std::uint64_t total_, begun_;
    bool terminal_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point start_, last_{};
};

}  // namespace orrery
