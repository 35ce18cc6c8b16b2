// SPDX-License-Identifier: MIT
// All that the program prints goes through here: no text from a file reaches a terminal as a command, and a reader that
// went away or a full disk costs no more than what it does not get.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace orrery {

/// At the start of the program: what is closed of the descriptors 0 to 2 is taken, so that no output file gets its
/// number, and writing to a pipe without a reader or beyond the limit of a file's size is an error, not a signal.
void prepare_standard_streams() noexcept;

/// From now on, or no more, what is printed goes nowhere: of several processes one speaks.
void mute_standard_streams(bool muted) noexcept;

/// From now on, or no more, nothing goes to stderr: --quiet.
void quieten_stderr(bool quiet) noexcept;

/// Control characters but line feed and tab as "\u001b", and bytes that are not UTF-8 as "\xff".
std::string printable(std::string_view text);

/// One line, with its line feed at the end; further line feeds become spaces. Nothing happens if it cannot be written.
void line_to_stderr(std::string_view line);
/// As it is, with control sequences, for a terminal.
void draw_on_stderr(std::string_view drawing) noexcept;
/// Text of several lines. output_error() says if it could not be written.
void text_to_stdout(std::string_view text);

template <class... T>
void to_stderr(fmt::format_string<T...> format, T&&... values) {
    line_to_stderr(fmt::format(format, std::forward<T>(values)...));
}
template <class... T>
void to_stdout(fmt::format_string<T...> format, T&&... values) {
    text_to_stdout(fmt::format(format, std::forward<T>(values)...));
}

/// Writes what waits for standard output. Returns the errno of the first failure since the start; 0: none.
int output_error() noexcept;

}  // namespace orrery
