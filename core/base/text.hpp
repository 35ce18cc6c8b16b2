// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <system_error>

namespace orrery {

/// Converts ASCII letters to lower case; used to compare file names, columns and options.
std::string lower_case(std::string_view text);

/// Parses all of `text` as a decimal number, with an optional sign; false if it is not one or is out of range. Accepts
/// "inf" and "nan" for floating point.
template <class T>
bool read_number(std::string_view text, T& number) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const char* const last = text.data() + text.size();
    const auto [end, problem] = std::from_chars(text.data(), last, number);
    return problem == std::errc{} && end == last;
}

/// Parses a number typed by a user, with optional blanks around it: "0.5", "-1e-3". Empty if it is invalid or not
/// finite.
std::optional<double> parse_real(std::string_view text);
/// Parses a non-negative whole number: "20000", "20 000", "20k", "1.5M", "1e5", "2^16". Empty if invalid or above
/// 2⁶⁴ − 1.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// Number of insertions, deletions, substitutions and swaps of neighbouring characters that turn one word into the
/// other (Damerau–Levenshtein, optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The menu id that a mistyped one most likely stands for: at most a third of the characters differ, or the id begins
/// with what was typed.
template <std::ranges::input_range Menu>
std::optional<std::string_view> nearest_id(Menu&& menu, std::string_view typed) {
    const std::string wanted = lower_case(typed);
    std::optional<std::string_view> nearest;
    std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    for (const auto& entry : menu) {
        const std::string id = lower_case(entry.id);
        const std::size_t apart = wanted.size() >= 3 && id.starts_with(wanted) ? 1 : edit_distance(wanted, id);
        if (apart < least) least = apart, nearest = entry.id;
    }
    return nearest;
}

/// True if the file name has a placeholder for a number: "frame_%04d.png".
bool is_pattern(const std::filesystem::path& path);
/// The path with the number inserted.
std::filesystem::path numbered(const std::filesystem::path& pattern, std::uint64_t number);

/// Expands "~" and "~/…" as a shell does; returns everything else unchanged, also if $HOME is not set.
std::filesystem::path expand_home(const std::string& text);

/// A time as users type it: "0.01" in the scene's unit of time, or with a suffix: "0.5day", "100 yr", "3Myr".
struct Duration {
    double value = 0;
    double days = 0;   ///< length of the suffix's unit; 0: no suffix
    std::string text;  ///< as typed, for messages
};

/// Throws Error{kUsage} that names `option`, the text and the valid suffixes.
Duration parse_duration(std::string_view option, std::string_view text);
/// Converts to the scene's unit of time, which is `days_per_time` days. Throws Error{kUsage} for a suffix if the scene
/// has no physical units (`days_per_time` is 0).
double in_units_of(double days_per_time, std::string_view scene, std::string_view option, const Duration& duration);

/// Seconds of wall-clock time: "90s", "10m" or "10min", "2h", "1d"; a plain number is seconds. Throws Error{kUsage} for
/// anything else, and unless positive.
double parse_wall_time(std::string_view option, std::string_view text);

/// "s, min, h, day, yr, kyr, Myr, Gyr"
std::string duration_suffixes();

}  // namespace orrery
