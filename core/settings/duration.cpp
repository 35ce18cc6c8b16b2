// SPDX-License-Identifier: MIT
#include "core/settings/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/error.hpp"

namespace orrery {
namespace {

struct Suffix {
    std::string_view name;
    double days;
};
constexpr double kYear = 365.25;  // Julian year
constexpr std::array kSuffixes{Suffix{"s", 1 / 86400.0},   Suffix{"min", 1 / 1440.0}, Suffix{"h", 1 / 24.0},
                               Suffix{"day", 1},           Suffix{"yr", kYear},       Suffix{"kyr", 1e3 * kYear},
                               Suffix{"Myr", 1e6 * kYear}, Suffix{"Gyr", 1e9 * kYear}};

}  // namespace

std::string duration_suffixes() {
    std::string all;
    for (const Suffix& suffix : kSuffixes) all += (all.empty() ? "" : ", ") + std::string{suffix.name};
    return all;
}

Duration parse_duration(std::string_view option, std::string_view text) {
    Duration result{.text = std::string{text}};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), result.value);
    if (status != std::errc{} || !std::isfinite(result.value))
        usage_error(
            fmt::format("{} '{}': expected a number, or a number with one of {}", option, text, duration_suffixes()));
    std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    while (rest.ends_with(' ')) rest.remove_suffix(1);
    if (rest.empty()) return result;
    const bool one_of_days = rest == "d" || rest == "days";  // the spelling of the clock display
    const auto suffix = std::ranges::find(kSuffixes, one_of_days ? "day" : rest, &Suffix::name);
    if (suffix == kSuffixes.end())
        usage_error(
            fmt::format("{} '{}': no unit of time '{}'; there are {}", option, text, rest, duration_suffixes()));
    result.days = suffix->days;
    return result;
}

double parse_wall_time(std::string_view option, std::string_view text) {
    struct Unit {
        std::string_view suffix;
        double seconds;
    };
    static constexpr std::array units{Unit{"", 1},     Unit{"s", 1},    Unit{"m", 60},
                                      Unit{"min", 60}, Unit{"h", 3600}, Unit{"d", 86400}};
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const auto& [suffix, seconds] : units)
        if (status == std::errc{} && rest == suffix && value > 0 && std::isfinite(value)) return value * seconds;
    usage_error(fmt::format("{} '{}': expected a time such as 90s, 10m or 2h", option, text));
}

double in_units_of(double days_per_time, std::string_view scene, std::string_view option, const Duration& duration) {
    if (duration.days == 0) return duration.value;
    if (days_per_time == 0)
        usage_error(fmt::format("{} '{}': {} has no physical units; give a number without a suffix", option,
                                duration.text, scene));
    return duration.value * duration.days / days_per_time;
}

}  // namespace orrery
