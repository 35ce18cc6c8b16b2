// SPDX-License-Identifier: MIT
#include "core/series/series_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/series/snapshot_files.hpp"

namespace orrery {
namespace {

/// "NAME.hdf5" of "NAME.3.hdf5", "NAME" of "NAME.3"; of other names themselves.
std::string name_of_set(const std::filesystem::path& path) {
    const auto is_number = [](const std::string& extension) {
        return extension.size() > 1 && extension.find_first_not_of("0123456789", 1) == std::string::npos;
    };
    const std::string last = path.extension().string();
    if (is_number(last)) return (path.parent_path() / path.stem()).string();
    const std::filesystem::path stem = path.stem();
    if (!is_number(stem.extension().string())) return path.string();
    return (path.parent_path() / (stem.stem().string() + last)).string();
}

}  // namespace

SeriesIndex::SeriesIndex(std::vector<std::string> sources) : sources_{std::move(sources)} {
    refresh();
    if (members_.empty() && notes_.size() == 1) usage_error(notes_.front());
    if (members_.empty())
        usage_error(fmt::format("none of {} files can be read; the first: {}", notes_.size(), notes_.front()));
    note_order();
}

SeriesIndex::Stamp SeriesIndex::stamp_of(const std::filesystem::path& path) {
    std::error_code none;
    return {std::filesystem::file_size(path, none), std::filesystem::last_write_time(path, none)};
}

/// Those that are new, or have changed.
std::vector<std::filesystem::path> SeriesIndex::unseen() {
    std::vector<std::filesystem::path> paths;
    for (const std::filesystem::path& path : snapshot_files(sources_)) {
        const Stamp stamp = stamp_of(path);
        const auto known = seen_.find(path);
        if (known != seen_.end() && known->second == stamp) continue;
        seen_[path] = stamp;
        const auto is_this = [&](const SeriesMember& member) { return member.path == path; };
        if (std::ranges::none_of(members_, is_this)) paths.push_back(path);  // else the reader tells what became of it
    }
    return paths;
}

bool SeriesIndex::refresh() {
    struct Found {
        SnapshotHead head;
        std::string failure;
    };
    const std::vector<std::filesystem::path> paths = unseen();
    std::vector<Found> found(paths.size());
    Pool pool{0, true};  // a process for each HDF5 file takes longer to begin than to read
    pool.parallel_for(0, paths.size(), [&](std::uint64_t i) {
        try {
            found[i].head = read_head(paths[i]);
        } catch (const std::exception& error) {
            found[i].failure = error.what();
        }
    });
    bool changed = false;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (found[i].failure.empty())
            changed = add(paths[i], found[i].head) || changed;
        else
            notes_.push_back(found[i].failure);
    }
    return changed;
}

/// Returns whether it is a new member.
bool SeriesIndex::add(const std::filesystem::path& path, const SnapshotHead& head) {
    const auto refuse = [&](std::string why) { return notes_.push_back(std::move(why)), false; };
    if (head.files > 1 && !sets_.insert(name_of_set(path)).second) return false;
    if (!std::isfinite(head.time)) return refuse(fmt::format("{}: time is {}", path.string(), head.time));
    if (!members_.empty() && head.bodies != members_.front().bodies)
        return refuse(
            fmt::format("{}: holds {} bodies, the series {}", path.string(), head.bodies, members_.front().bodies));
    const auto place = std::ranges::lower_bound(members_, head.time, {}, &SeriesMember::time);
    if (place != members_.end() && place->time == head.time)
        return refuse(fmt::format("{}: has the time of {}, {}", path.string(), place->path.string(), head.time));
    members_.insert(place, {path, head.time, head.bodies, std::isfinite(head.box) ? std::max(head.box, 0.0) : 0});
    return true;
}

void SeriesIndex::note_order() {
    const auto back = std::ranges::adjacent_find(
        members_, [](const SeriesMember& a, const SeriesMember& b) { return a.path > b.path; });
    if (back != members_.end())
        notes_.push_back(fmt::format("{}: is earlier than {}; the order is that of time, not of names",
                                     back->path.string(), (back + 1)->path.string()));
}

void SeriesIndex::remove(const std::filesystem::path& path, const std::string& why) {
    std::erase_if(members_, [&](const SeriesMember& member) { return member.path == path; });
    seen_[path] = stamp_of(path);
    notes_.push_back(why);
}

}  // namespace orrery
