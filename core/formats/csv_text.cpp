// SPDX-License-Identifier: MIT
#include "core/formats/csv_text.hpp"

#include <algorithm>
#include <charconv>

namespace orrery::csv_text {
namespace {

constexpr std::string_view kBlanks = " \t\r";

/// Position of the next separator from `from` on, or of the end of the line. Quotes count only at the start of a field.
std::size_t end_of_field(std::string_view line, char separator, std::size_t from) {
    std::size_t i = std::min(line.find_first_not_of(separator == '\t' ? " \r" : kBlanks, from), line.size());
    if (i < line.size() && line[i] == '"') {
        for (++i; i < line.size(); ++i) {
            if (line[i] != '"') continue;
            if (i + 1 < line.size() && line[i + 1] == '"')
                ++i;
            else
                break;
        }
    }
    const std::string_view stops = separator == ' ' ? std::string_view{" \t"} : std::string_view{&separator, 1};
    return std::min(line.find_first_of(stops, std::min(i, line.size())), line.size());
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string without_blanks(std::string_view text) {
    std::string result{text};
    std::erase_if(result, [](char c) { return kBlanks.find(c) != std::string_view::npos; });
    return result;
}

std::string shown(std::string_view text) {
    constexpr std::size_t kMost = 40;
    std::string result{text.substr(0, kMost)};
    for (char& c : result)
        if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) >= 127) c = '?';
    return text.size() > kMost ? result + "..." : result;
}

char separator_of(std::string_view line) {
    constexpr std::size_t kQuantities = 7;  // fewer tabs than this are treated as blanks
    if (end_of_field(line, ';', 0) != line.size()) return ';';
    Fields fields;
    split(line, '\t', fields);
    // Commas at the ends of fields are separators, and tabs are then blanks; other commas are decimal or part of names.
    const bool tabs = fields.size() >= kQuantities &&
                      std::ranges::none_of(fields, [](std::string_view field) { return field.ends_with(','); });
    if (tabs) return '\t';
    if (end_of_field(line, ',', 0) != line.size()) return ',';
    return ' ';
}

void split(std::string_view line, char separator, Fields& fields) {
    fields.clear();
    for (std::size_t from = 0; from <= line.size();) {
        const std::size_t end = end_of_field(line, separator, from);
        const std::string_view field = trimmed(line.substr(from, end - from));
        if (separator != ' ' || !field.empty()) fields.push_back(field);
        from = end + 1;
    }
}

std::string unquoted(std::string_view field) {
    if (field.size() < 2 || field.front() != '"' || field.back() != '"') return std::string{field};
    std::string result;
    for (std::size_t i = 1; i + 1 < field.size(); ++i) {
        result += field[i];
        if (field[i] == '"' && field[i + 1] == '"') ++i;
    }
    return result;
}

std::string quoted(std::string_view name) {
    const bool plain = !name.empty() && name.find_first_of(" \t\r,;\"#") == std::string_view::npos;
    if (plain) return std::string{name};
    std::string result = "\"";
    for (const char c : name) result.append(c == '"' ? 2 : 1, c);
    return result + '"';
}

std::string unit_behind(std::string& title) {
    const std::size_t open = title.find_first_of("[(");
    if (open == std::string::npos || open == 0) return {};
    if (title.back() != (title[open] == '[' ? ']' : ')')) return {};
    std::string unit{trimmed(std::string_view{title}.substr(open + 1, title.size() - open - 2))};
    title = trimmed(std::string_view{title}.substr(0, open));
    return unit;
}

std::optional<std::uint64_t> whole(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

namespace {

/// Parses a leading number and leaves the rest in `text`; empty if there is none.
std::optional<double> leading_number(std::string_view& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// The signed digits of an exponent such as "D+03", "d3", "Q3" or "*^3", or of "-103" (three digits after a number with
/// a point); empty if there is none.
std::string_view foreign_exponent(std::string_view behind, bool with_point) {
    const std::string_view exponent = behind.starts_with("*^") ? behind.substr(2) : behind.substr(1);
    if (behind.starts_with("*^") || std::string_view{"dDqQ"}.find(behind.front()) != std::string_view::npos)
        return exponent;
    const bool is_sign = behind.front() == '+' || behind.front() == '-';
    return is_sign && with_point && behind.size() == 4 ? behind : std::string_view{};
}

}  // namespace

std::optional<double> number(std::string_view text) {
    if (text.size() > 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front())
        text = trimmed(text.substr(1, text.size() - 2));
    if (text.size() > 1 && text.front() == '+' && text[1] != '-')
        text.remove_prefix(1);  // from_chars rejects a plus sign
    std::string_view behind = text;
    const auto value = leading_number(behind);
    if (!value || behind.empty()) return value;
    const std::string_view mantissa = text.substr(0, text.size() - behind.size());
    if (mantissa.find_first_of("eEnN") != std::string_view::npos) return std::nullopt;  // or inf, nan
    const std::string_view exponent = foreign_exponent(behind, mantissa.find('.') != std::string_view::npos);
    if (exponent.empty()) return std::nullopt;
    const std::string standard = std::string{mantissa} + 'e' + std::string{exponent};
    std::string_view rest = standard;
    const auto whole_value = leading_number(rest);
    return rest.empty() ? whole_value : std::nullopt;
}

std::optional<double> number_with_comma(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || text.find_first_of(",.", comma + 1) != std::string_view::npos ||
        text.substr(0, comma).find('.') != std::string_view::npos)
        return std::nullopt;
    std::string with_point{text};
    with_point[comma] = '.';
    return number(with_point);
}

}  // namespace orrery::csv_text
