// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
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

inline constexpr std::uint64_t kShowProgress = 64ull << 20;  ///< smallest file that takes long enough for a bar

/// The progress bar for reading or writing a file; shown only if the file is large.
class FileProgress {
public:
    /// `total` rows (or other units) of `bytes` bytes each.
    FileProgress(const char* doing, std::uint64_t total, std::uint64_t bytes = 1) {
        if (total * bytes >= kShowProgress) bar_.emplace(doing, total);
    }
    /// Adds `rows` to the number done.
    void add(std::uint64_t rows) { reach(done_ + rows); }
    /// Sets the number done.
    void reach(std::uint64_t done) {
        done_ = done;
        if (bar_) bar_->update(done);
    }

private:
    std::optional<Progress> bar_;
    std::uint64_t done_ = 0;
};

}  // namespace orrery
