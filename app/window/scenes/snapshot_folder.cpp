// SPDX-License-Identifier: MIT
#include "app/window/scenes/snapshot_folder.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostScanned = 2000;

bool is_snapshot(const fs::path& file) {
    try {
        std::error_code failed;
        return fs::file_size(file, failed) > 0 && !failed && may_be_snapshot(file);
    } catch (const Error&) {  // it cannot be read
        return false;
    }
}

/// Number of files per snapshot, from the header of this one; 1 for formats without a header, without reading.
std::size_t files_of_one(const fs::path& file) {
    try {
        if (!format_for(file).head) return 1;
    } catch (const Error&) {  // recognised by content only: such formats have a header
    }
    try {
        return static_cast<std::size_t>(std::max<std::uint64_t>(1, read_head(file).files));
    } catch (const Error&) {
        return 1;
    }
}

}  // namespace

std::vector<fs::path> snapshots_among(const std::vector<fs::path>& files) {
    std::vector<fs::path> found;
    std::ranges::copy_if(files, std::back_inserter(found), is_snapshot);
    return found;
}

std::size_t count_snapshots(const std::vector<fs::path>& files) {
    if (files.size() < 2) return files.size();
    const std::size_t each = files_of_one(files.front());
    return (files.size() + each - 1) / each;
}

std::size_t count_snapshots_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator entry{folder, failed}, end; !failed && entry != end && files.size() < kMostScanned;
         entry.increment(failed))
        if (!entry->path().filename().string().starts_with('.') && entry->is_regular_file(failed))
            files.push_back(entry->path());
    return count_snapshots(snapshots_among(files));
}

}  // namespace orrery
