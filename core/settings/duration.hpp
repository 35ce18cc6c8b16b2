// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace orrery {

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
