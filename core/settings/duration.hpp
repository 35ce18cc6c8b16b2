// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace orrery {

/// A time as people type it: "0.01" in the scene's unit of time, or with the suffix of another unit: "0.5day", "100
/// yr", "3Myr".
struct Duration {
    double value = 0;
    double days = 0;   ///< length of one unit of the suffix; 0: there was none
    std::string text;  ///< as typed, for messages
};

/// Throws Error{kUsage} that names `option`, the text and the suffixes there are.
Duration parse_duration(std::string_view option, std::string_view text);
/// In units of time of a scene, of so many days each. Throws Error{kUsage} for a suffix when the scene has no physical
/// units: `days_per_time` is 0.
double in_units_of(double days_per_time, std::string_view scene, std::string_view option, const Duration& duration);

/// Seconds of the clock on the wall: "90s", "10m" or "10min", "2h", "1d"; a number alone is seconds. Throws
/// Error{kUsage} for anything else, and for what is not positive.
double parse_wall_time(std::string_view option, std::string_view text);

/// "s, min, h, day, yr, kyr, Myr, Gyr"
std::string duration_suffixes();

}  // namespace orrery
