// SPDX-License-Identifier: MIT
// All console output of the program. Text from files cannot send control sequences to the terminal, and a closed pipe
// or a full disk loses only the output itself.
#pragma once
#include <fmt/format.h>

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

}  // namespace orrery
