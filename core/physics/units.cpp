// SPDX-License-Identifier: MIT
#include "core/physics/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace orrery {
namespace {

constexpr double kSecondsOfDay = 86400;
constexpr std::array kTimeUnits{TimeUnit{"Gyr", 1e9 * kDaysOfYear},
                                TimeUnit{"Myr", 1e6 * kDaysOfYear},
                                TimeUnit{"kyr", 1e3 * kDaysOfYear},
                                TimeUnit{"yr", kDaysOfYear},
                                TimeUnit{"d", 1},
                                TimeUnit{"h", 1 / 24.0},
                                TimeUnit{"min", 1 / 1440.0},
                                TimeUnit{"s", 1 / kSecondsOfDay}};

/// Number of digits for a running clock: two decimals for years, one for days.
std::string number_text(double value, std::string_view unit) {
    if (unit == "yr") return fmt::format("{:.2f}", value);
    if (unit == "d") return fmt::format("{:.1f}", value);
    return fmt::format("{:.4g}", value);
}

}  // namespace

const TimeUnit& time_unit_of(double days) {
    for (const TimeUnit& unit : kTimeUnits)
        if (std::abs(days) >= unit.days * (1 - 1e-9)) return unit;
    return kTimeUnits.back();
}

std::string duration_text(double time, double days_per_time) {
    if (days_per_time <= 0) return fmt::format("{:.4g}", time);
    const double days = time * days_per_time;
    const TimeUnit& unit = time_unit_of(days == 0 ? days_per_time : days);
    return fmt::format("{} {}", number_text(days / unit.days, unit.name), unit.name);
}

std::string clock_text(double time, double days_per_time, double scale_factor) {
    if (!(scale_factor > 0)) return duration_text(time, days_per_time);
    const std::string a = fmt::format("a = {:.4g}", scale_factor);
    if (time == scale_factor) {
        const double z = 1 / scale_factor - 1;
        constexpr double kRounding = 1e-9;  // for the a = 1 that codes write at their last step
        return fmt::format("{}, z = {:.3g}", a, std::abs(z) < kRounding ? 0 : z);
    }
    const double passed = time - scale_factor;
    return fmt::format("{} {} {}", a, passed < 0 ? "−" : "+", duration_text(std::abs(passed), days_per_time));
}

std::string named_clock_text(double time, double days_per_time, double scale_factor) {
    return (scale_factor > 0 ? "" : "t = ") + clock_text(time, days_per_time, scale_factor);
}

double scale_factor_of(double time, double redshift, bool cosmological) {
    constexpr double kRounded = 1e-3;  // headers store one of the two in single precision, or with few digits
    const bool expands = (cosmological || redshift != 0) && time > 0;
    return expands && std::abs(time * (1 + redshift) - 1) < kRounded ? time : 0;
}

double redshift_of(double time, double scale_factor) {
    return scale_factor > 0 && time == scale_factor ? 1 / scale_factor - 1 : 0;
}

double kilometres_in(std::string_view length_unit) {
    struct Length {
        std::string_view name;
        double km;
    };
    constexpr double kParsec = 3.0856775814913673e13;
    constexpr std::array kLengths{
        Length{"m", 1e-3},           Length{"km", 1},       Length{"AU", 149597870.7},    Length{"au", 149597870.7},
        Length{"R☉", 695700},        Length{"pc", kParsec}, Length{"kpc", 1e3 * kParsec}, Length{"Mpc", 1e6 * kParsec},
        Length{"Gpc", 1e9 * kParsec}};
    for (const Length& length : kLengths)
        if (length.name == length_unit) return length.km;
    return 0;
}

double kilometres_per_second(std::string_view length_unit, double days_per_time) {
    return days_per_time > 0 ? kilometres_in(length_unit) / (days_per_time * kSecondsOfDay) : 0;
}

}  // namespace orrery
