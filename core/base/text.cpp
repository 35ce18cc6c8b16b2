// SPDX-License-Identifier: MIT
#include "core/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace orrery {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first, last - first + 1);
}

/// Accepts no "+", unlike read_number().
template <class Number>
std::optional<Number> all_of(std::string_view text) {
    Number value{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    return status == std::errc{} && end == text.data() + text.size() ? std::optional{value} : std::nullopt;
}

double of_suffix(char letter) {
    switch (letter) {
        case 'k':
        case 'K':
            return 1e3;
        case 'M':
            return 1e6;
        case 'G':
            return 1e9;
        default:
            return 1;
    }
}

struct Placeholder {
    std::size_t at, length;
    int digits;  ///< minimum width, padded with zeros
};

/// Only %d and %0Nd of printf, because the text comes from a command line.
std::optional<Placeholder> find_placeholder(std::string_view name) {
    const std::size_t at = name.find('%');
    if (at == std::string_view::npos) return std::nullopt;
    std::size_t end = at + 1;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
    if (end == name.size() || name[end] != 'd' || end - at > 3 || name.find('%', end) != std::string_view::npos) {
        return std::nullopt;
    }
    const bool in_word = end + 1 < name.size() && std::isalnum(static_cast<unsigned char>(name[end + 1]));
    if (in_word && end == at + 1) return std::nullopt;  // "100%done.png" is an ordinary name
    int digits = 1;
    std::from_chars(name.data() + at + 1, name.data() + end, digits);
    return Placeholder{at, end + 1 - at, digits};
}

struct Suffix {
    std::string_view name;
    double days;
};
constexpr double kYear = 365.25;  // Julian year
constexpr std::array kSuffixes{Suffix{"s", 1 / 86400.0},   Suffix{"min", 1 / 1440.0}, Suffix{"h", 1 / 24.0},
                               Suffix{"day", 1},           Suffix{"yr", kYear},       Suffix{"kyr", 1e3 * kYear},
                               Suffix{"Myr", 1e6 * kYear}, Suffix{"Gyr", 1e9 * kYear}};

}  // namespace

std::string lower_case(std::string_view text) {
    std::string result{text};
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::optional<double> parse_real(std::string_view text) {
    const auto value = all_of<double>(trimmed(text));
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::string digits;  // without spaces between thousands
    for (const char letter : trimmed(text))
        if (letter != ' ') digits += letter;
    if (const auto whole = all_of<std::uint64_t>(digits)) return whole;
    if (digits.starts_with("2^")) {
        const auto power = all_of<unsigned>(std::string_view{digits}.substr(2));
        return power && *power < 64 ? std::optional{std::uint64_t{1} << *power} : std::nullopt;
    }
    const double unit = digits.empty() ? 1 : of_suffix(digits.back());
    if (unit > 1) digits.pop_back();
    const auto value = all_of<double>(digits);
    constexpr double kMost = 0x1p53;  // above this, double skips whole numbers
    if (!value || std::signbit(*value) || !(*value * unit <= kMost)) return std::nullopt;
    const double number = std::round(*value * unit);
    // 1.1k is 1100, although 1.1 is not exact in double; 1.0005k is rejected.
    return std::fabs(number - *value * unit) <= 1e-12 * number ? std::optional{static_cast<std::uint64_t>(number)}
                                                               : std::nullopt;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = std::exchange(last, row);
    }
    return last[b.size()];
}

bool is_pattern(const std::filesystem::path& path) { return find_placeholder(path.filename().string()).has_value(); }

std::filesystem::path numbered(const std::filesystem::path& pattern, std::uint64_t number) {
    std::string name = pattern.filename().string();
    if (const auto place = find_placeholder(name)) {
        name.replace(place->at, place->length, fmt::format("{:0{}}", number, place->digits));
    }
    return pattern.parent_path() / name;
}

std::filesystem::path expand_home(const std::string& text) {
    const char* home = std::getenv("HOME");
    if (home && (text == "~" || text.starts_with("~/"))) return home + text.substr(1);
    return text;
}

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
