// SPDX-License-Identifier: MIT
#include "core/base/typed.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace orrery {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first, last - first + 1);
}

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

}  // namespace

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

}  // namespace orrery
