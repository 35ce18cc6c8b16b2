// SPDX-License-Identifier: MIT
#include "app/picture/format.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace orrery {

std::string grouped(std::int64_t number) {
    const std::string digits = fmt::format("{}", number < 0 ? -number : number);
    std::string text = number < 0 ? "−" : "";
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
        text += digits[i];
    }
    return text;
}

std::string counted(std::uint64_t number, std::string_view one) {
    return fmt::format("{} {}{}", grouped(static_cast<std::int64_t>(number)), one, number == 1 ? "" : "s");
}

std::string bodies_text(std::size_t number) {
    return grouped(static_cast<std::int64_t>(number)) + (number == 1 ? " body" : " bodies");
}

std::string short_number(double number) {
    static constexpr auto units = std::to_array<std::string_view>({"", " k", " M", " G", " T", " P"});
    std::size_t unit = 0;
    while (std::abs(number) >= 999.5 && unit + 1 < units.size()) number /= 1000, ++unit;
    const int decimals = unit == 0 && number == std::floor(number) ? 0 : number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f}{}", number, decimals, units[unit]);
}

std::string rate_text(double per_second) { return per_second > 0 ? short_number(per_second) : "–"; }

std::string rate_text(double per_second, std::string_view what) {
    return per_second > 0 ? fmt::format("{}{}", short_number(per_second), what) : "–";
}

std::string milliseconds_text(double seconds) {
    if (seconds <= 0) return "–";
    if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
    const double ms = seconds * 1e3;
    if (ms < 0.1) return fmt::format("{:.1f} µs", ms * 1e3);
    return fmt::format("{:.{}f} ms", ms, ms < 1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

std::string film_time_text(double seconds) {
    if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::int64_t>(seconds + 0.5);
    return fmt::format("{}:{:02} min", whole / 60, whole % 60);
}

std::string film_clock_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(seconds);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string ranks_text(int ranks, bool shared) {
    return fmt::format("{}, {}", ranks, shared ? "sharing the forces" : "rank 0 computes all forces");
}

std::string age_text(std::chrono::steady_clock::time_point then, std::int64_t steps) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
    return fmt::format("{:.1f} s, {}", seconds,
                       counted(static_cast<std::uint64_t>(std::max<std::int64_t>(steps, 0)), "step"));
}

}  // namespace orrery
