// SPDX-License-Identifier: MIT
#include "core/base/numbered_name.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {
namespace {

struct Place {
    std::size_t at, length;
    int digits;  ///< minimum width, padded with zeros
};

/// Only %d and %0Nd of printf, because the text comes from a command line.
std::optional<Place> find_place(std::string_view name) {
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
    return Place{at, end + 1 - at, digits};
}

}  // namespace

bool is_pattern(const std::filesystem::path& path) { return find_place(path.filename().string()).has_value(); }

std::filesystem::path numbered(const std::filesystem::path& pattern, std::uint64_t number) {
    std::string name = pattern.filename().string();
    if (const auto place = find_place(name)) {
        name.replace(place->at, place->length, fmt::format("{:0{}}", number, place->digits));
    }
    return pattern.parent_path() / name;
}

}  // namespace orrery
