// SPDX-License-Identifier: MIT
#include "core/series/snapshot_files.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"

namespace orrery {
namespace {

std::vector<std::filesystem::path> of_pattern(const std::string& pattern) {
    glob_t found{};
    const int result = ::glob(pattern.c_str(), 0, nullptr, &found);
    const std::unique_ptr<glob_t, void (*)(glob_t*)> owner{&found, ::globfree};
    if (result != 0) return {};
    return {found.gl_pathv, found.gl_pathv + found.gl_pathc};
}

std::vector<std::filesystem::path> of_folder(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry{folder, failed}, end; !failed && entry != end;
         entry.increment(failed)) {
        const std::filesystem::path& path = entry->path();
        if (path.filename().string().front() == '.' || !std::filesystem::is_regular_file(path)) continue;
        if (std::filesystem::file_size(path) > 0 && may_be_snapshot(path)) files.push_back(path);
    }
    if (failed) environment_error(fmt::format("{}: cannot be read: {}", folder.string(), failed.message()));
    std::ranges::sort(files);
    return files;
}

}  // namespace

bool names_many(const std::string& source) {
    if (std::filesystem::is_directory(source)) return true;
    return source.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(source);
}

std::vector<std::filesystem::path> snapshot_files(std::span<const std::string> sources) {
    std::vector<std::filesystem::path> files;
    std::set<std::string> seen;
    for (const std::string& source : sources) {
        std::vector<std::filesystem::path> found{source};
        if (std::filesystem::is_directory(source))
            found = of_folder(source);
        else if (names_many(source))
            found = of_pattern(source);
        if (found.empty()) usage_error(fmt::format("{}: no snapshots of that name", source));
        for (const std::filesystem::path& path : found)
            if (seen.insert(path.string()).second) files.push_back(path);
    }
    return files;
}

}  // namespace orrery
