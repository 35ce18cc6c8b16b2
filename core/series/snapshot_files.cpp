// SPDX-License-Identifier: MIT
#include "core/series/snapshot_files.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <memory>
#include <set>
#include <system_error>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/snapshot_names.hpp"

namespace orrery {
namespace {

bool is_folder(const std::filesystem::path& path) {
    std::error_code none;
    return std::filesystem::is_directory(path, none);
}

/// The file may vanish or be replaced at any moment after its folder was listed.
bool may_be_read(const std::filesystem::path& path) {
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed) || failed) return false;
    if (std::filesystem::file_size(path, failed) == 0 || failed) return false;
    try {
        return may_be_snapshot(path);
    } catch (const Error&) {
        return false;
    }
}

/// "snapdir_007" and the like: Gadget and AREPO write each snapshot of several files into such a folder.
bool is_folder_of_snapshot(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with("snap") && name.find_first_of("0123456789") != std::string::npos && is_folder(path);
}

void sort_naturally(std::vector<std::filesystem::path>& paths) {
    std::ranges::sort(paths, [](const std::filesystem::path& a, const std::filesystem::path& b) {
        return naturally_before(a.string(), b.string());
    });
}

std::vector<std::filesystem::path> of_folder(const std::filesystem::path& folder, bool with_folders = true) {
    std::vector<std::filesystem::path> files, folders;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry{folder, failed}, end; !failed && entry != end;
         entry.increment(failed)) {
        const std::filesystem::path& path = entry->path();
        if (path.filename().string().front() == '.') continue;
        if (with_folders && is_folder_of_snapshot(path))
            folders.push_back(path);
        else if (may_be_read(path))
            files.push_back(path);
    }
    if (failed) environment_error(fmt::format("{}: cannot be read: {}", folder.string(), failed.message()));
    if (!folders.empty()) files.clear();  // files beside them are tables of energies and times
    sort_naturally(folders);
    sort_naturally(files);
    for (const std::filesystem::path& inner : folders) {
        const auto more = of_folder(inner, false);
        files.insert(files.end(), more.begin(), more.end());
    }
    return files;
}

std::vector<std::filesystem::path> of_pattern(const std::string& pattern) {
    glob_t found{};
    const int result = ::glob(pattern.c_str(), 0, nullptr, &found);
    const std::unique_ptr<glob_t, void (*)(glob_t*)> owner{&found, ::globfree};
    if (result != 0) return {};
    std::vector<std::filesystem::path> paths;
    for (std::size_t i = 0; i < found.gl_pathc; ++i) {
        const std::filesystem::path path = found.gl_pathv[i];
        if (is_folder_of_snapshot(path)) {
            const auto files = of_folder(path, false);
            paths.insert(paths.end(), files.begin(), files.end());
        } else {
            paths.push_back(path);
        }
    }
    sort_naturally(paths);
    return paths;
}

}  // namespace

bool names_many(const std::string& source) {
    std::error_code none;
    return is_folder(source) ||
           (source.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(source, none));
}

std::vector<std::filesystem::path> snapshot_files(std::span<const std::string> sources) {
    std::vector<std::filesystem::path> files;
    std::set<std::string> seen;
    for (const std::string& source : sources) {
        std::vector<std::filesystem::path> found{source};
        if (is_folder(source))
            found = of_folder(source);
        else if (names_many(source))
            found = of_pattern(source);
        if (found.empty()) usage_error(fmt::format("{}: no matching snapshots", source));
        for (const std::filesystem::path& path : found)
            if (seen.insert(path.string()).second) files.push_back(path);
    }
    return files;
}

}  // namespace orrery
