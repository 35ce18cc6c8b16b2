// SPDX-License-Identifier: MIT
#include "app/record/file_name.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "core/base/lower_case.hpp"

namespace orrery {
namespace {

struct Place {
    std::size_t at, length;
    int digits;  ///< padded to with zeros
};

/// printf's %d and %0Nd, and nothing else of it: the text comes from a command line.
std::optional<Place> find_place(std::string_view name) {
    const std::size_t at = name.find('%');
    if (at == std::string_view::npos) return std::nullopt;
    std::size_t end = at + 1;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
    if (end == name.size() || name[end] != 'd' || end - at > 3 || name.find('%', end) != std::string_view::npos) {
        return std::nullopt;
    }
    int digits = 1;
    std::from_chars(name.data() + at + 1, name.data() + end, digits);
    return Place{at, end + 1 - at, digits};
}

}  // namespace

std::string extension_of(const std::filesystem::path& path) { return lower_case(path.extension().string()); }

std::filesystem::path with_counter(const std::filesystem::path& path, int counter) {
    if (!path.has_filename()) return fmt::format("{}-{}/", path.parent_path().string(), counter);
    const std::string name = path.filename().string();
    if (const auto place = find_place(name))
        return path.parent_path() / fmt::format("{}-{}-{}", name.substr(0, place->at), counter, name.substr(place->at));
    return path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), counter, path.extension().string());
}

bool holds_something(const std::filesystem::path& path) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) return !std::filesystem::is_empty(path, none);
    if (is_pattern(path))
        return std::filesystem::exists(numbered(path, 0), none) || std::filesystem::exists(numbered(path, 1), none);
    return std::filesystem::is_regular_file(path, none);  // a device or a FIFO has nothing to lose
}

bool is_pattern(const std::filesystem::path& path) { return find_place(path.filename().string()).has_value(); }

std::filesystem::path numbered(const std::filesystem::path& pattern, std::uint64_t number) {
    std::string name = pattern.filename().string();
    if (const auto place = find_place(name)) {
        name.replace(place->at, place->length, fmt::format("{:0{}}", number, place->digits));
    }
    return pattern.parent_path() / name;
}

}  // namespace orrery
