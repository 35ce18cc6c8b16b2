// SPDX-License-Identifier: MIT
#include "app/record/file_name.hpp"

#include <fmt/format.h>

#include "core/base/text.hpp"

namespace orrery {

std::string extension_of(const std::filesystem::path& path) { return lower_case(path.extension().string()); }

std::filesystem::path with_counter(const std::filesystem::path& path, int counter) {
    if (!path.has_filename()) return fmt::format("{}-{}/", path.parent_path().string(), counter);
    const std::string name = path.filename().string();
    if (is_pattern(path)) {
        const std::size_t at = name.find('%');
        return path.parent_path() / fmt::format("{}-{}-{}", name.substr(0, at), counter, name.substr(at));
    }
    return path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), counter, path.extension().string());
}

bool holds_something(const std::filesystem::path& path) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) return !std::filesystem::is_empty(path, none);
    if (is_pattern(path))
        return std::filesystem::exists(numbered(path, 0), none) || std::filesystem::exists(numbered(path, 1), none);
    return std::filesystem::is_regular_file(path, none);  // a device or a FIFO has no content to lose
}

}  // namespace orrery
