// SPDX-License-Identifier: MIT
// All console output of the program. Text from files cannot send control sequences to the terminal, and a closed pipe
// or a full disk loses only the output itself.
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace orrery {

/// Call at program start. Opens descriptors 0 to 2 if they are closed, so that no output file gets their numbers, and
/// ignores SIGPIPE and SIGXFSZ, so that writing to a closed pipe or past the file size limit is an error, not a signal.
void prepare_standard_streams() noexcept;

/// Discards all console output while `muted`: only one of several processes prints.
void mute_standard_streams(bool muted) noexcept;

/// Discards output to stderr while `quiet` (--quiet).
void quieten_stderr(bool quiet) noexcept;

/// Escapes control characters except line feed and tab as "\u001b", and bytes that are not UTF-8 as "\xff".
std::string printable(std::string_view text);

/// Writes one line and a line feed; other line feeds become spaces. Ignores failures.
void line_to_stderr(std::string_view line);
/// Writes control sequences for a terminal unchanged.
void draw_on_stderr(std::string_view drawing) noexcept;
/// Writes text of several lines. output_error() reports failures.
void text_to_stdout(std::string_view text);

template <class... T>
void to_stderr(fmt::format_string<T...> format, T&&... values) {
    line_to_stderr(fmt::format(format, std::forward<T>(values)...));
}
template <class... T>
void to_stdout(fmt::format_string<T...> format, T&&... values) {
    text_to_stdout(fmt::format(format, std::forward<T>(values)...));
}

/// Flushes standard output. Returns the errno of the first failure since the start, or 0.
int output_error() noexcept;

/// Writes bytes to standard output unchanged. output_error() reports failures.
void bytes_to_stdout(std::string_view bytes);

/// From now on, or no more, details go to stderr: --verbose.
void show_details(bool shown) noexcept;
bool details_are_shown() noexcept;

/// A line about what the program chose, or how long something took.
template <class... T>
void print_detail(fmt::format_string<T...> format, T&&... values) {
    if (details_are_shown()) to_stderr("orrery: {}\n", fmt::format(format, std::forward<T>(values)...));
}

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
