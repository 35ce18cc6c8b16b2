// SPDX-License-Identifier: MIT
#include "core/formats/csv_text.hpp"

#include <algorithm>
#include <charconv>

namespace orrery::csv_text {
namespace {

constexpr std::string_view kBlanks = " \t\r";

/// Where the next separator stands from `from` on, or the end of the line. Quotes count only where a field begins.
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
    constexpr std::size_t kQuantities = 7;  // fewer tabs stand among blanks
    for (const char candidate : {';', ','})
        if (end_of_field(line, candidate, 0) != line.size()) return candidate;
    Fields fields;
    split(line, '\t', fields);
    return fields.size() >= kQuantities ? '\t' : ' ';
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

std::optional<double> number(std::string_view text) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);  // from_chars knows no plus
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace orrery::csv_text
