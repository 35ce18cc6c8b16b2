// SPDX-License-Identifier: MIT
#include "core/formats/snapshot_names.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <system_error>

namespace orrery {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Splits a name into text and numbers.
std::vector<std::string_view> pieces_of(std::string_view name) {
    std::vector<std::string_view> pieces;
    for (std::size_t from = 0; from < name.size();) {
        const bool number = is_digit(name[from]);
        std::size_t end = from;
        while (end < name.size() && is_digit(name[end]) == number) ++end;
        pieces.push_back(name.substr(from, end - from));
        from = end;
    }
    return pieces;
}

/// The digits of a number of any length, without leading zeros.
std::string_view without_zeros(std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

FileVersion version_of(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {path.string()};
    return {path.string(), status.st_ino, static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec};
}

}  // namespace

std::string name_of_set(const std::filesystem::path& path) {
    const auto is_number = [](const std::string& extension) {
        return extension.size() > 1 && std::all_of(extension.begin() + 1, extension.end(), is_digit);
    };
    const std::string last = path.extension().string();
    if (is_number(last)) return (path.parent_path() / path.stem()).string();
    const std::filesystem::path stem = path.stem();
    if (!is_number(stem.extension().string())) return path.string();
    return (path.parent_path() / (stem.stem().string() + last)).string();
}

bool naturally_before(std::string_view a, std::string_view b) {
    const auto left = pieces_of(a), right = pieces_of(b);
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        if (!is_digit(left[i].front()) || !is_digit(right[i].front())) {
            if (left[i] != right[i]) return left[i] < right[i];
            continue;
        }
        const std::string_view x = without_zeros(left[i]), y = without_zeros(right[i]);
        if (x.size() != y.size()) return x.size() < y.size();
        if (x != y) return x < y;
    }
    return left.size() != right.size() ? left.size() < right.size() : a < b;
}

std::optional<std::vector<double>> numbers_in(const std::vector<std::filesystem::path>& paths) {
    constexpr std::size_t kMostDigits = 15;  // that a double holds
    std::vector<std::string> names;
    for (const std::filesystem::path& path : paths) names.push_back(path.string());
    std::vector<std::vector<std::string_view>> all;
    for (const std::string& name : names) all.push_back(pieces_of(name));
    std::vector<double> numbers(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto &pieces = all[i], &first = all[i == 0 ? all.size() - 1 : 0];
        if (pieces.size() != first.size()) return std::nullopt;
        std::string_view number;
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            if (pieces[k] == first[k]) continue;
            const bool both = is_digit(pieces[k].front()) && is_digit(first[k].front());
            if (!both || pieces[k].size() > kMostDigits) return std::nullopt;
            if (!number.empty() && without_zeros(number) != without_zeros(pieces[k])) return std::nullopt;
            number = pieces[k];
        }
        if (number.empty()) return std::nullopt;
        numbers[i] = std::stod(std::string{number});
    }
    std::vector<double> sorted = numbers;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) return std::nullopt;
    return numbers;
}

std::vector<FileVersion> versions_of(const std::filesystem::path& path) {
    const std::string set = name_of_set(path);
    if (set == path.string()) return {version_of(path)};
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
    std::vector<FileVersion> versions;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry{folder, failed}, end; !failed && entry != end;
         entry.increment(failed)) {
        const std::filesystem::path other = path.parent_path() / entry->path().filename();
        if (name_of_set(other) == set && other.string() != set) versions.push_back(version_of(other));
    }
    std::ranges::sort(versions, {}, &FileVersion::path);
    return versions;
}

}  // namespace orrery
