// SPDX-License-Identifier: MIT
#include "core/series/series_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/formats/snapshot_names.hpp"
#include "core/series/snapshot_files.hpp"

namespace orrery {
SeriesIndex::SeriesIndex(std::vector<std::string> sources) : sources_{std::move(sources)} {
    look();
    if (members_.empty() && notes_.size() == 1) usage_error(notes_.front());
    if (members_.empty())
        usage_error(fmt::format("none of {} files is readable; the first: {}", notes_.size(), notes_.front()));
    note_order();
}

SeriesIndex::Stamp SeriesIndex::stamp_of(const std::filesystem::path& path) {
    std::error_code none;
    return {std::filesystem::file_size(path, none), std::filesystem::last_write_time(path, none)};
}

/// Files that are new or have changed.
std::vector<std::filesystem::path> SeriesIndex::unseen() {
    std::vector<std::filesystem::path> paths;
    for (const std::filesystem::path& path : snapshot_files(sources_)) {
        const Stamp stamp = stamp_of(path);
        const auto known = seen_.find(path);
        if (known != seen_.end() && known->second == stamp) continue;
        seen_[path] = stamp;
        const auto is_this = [&](const SeriesMember& member) { return member.path == path; };
        if (std::ranges::none_of(members_, is_this)) paths.push_back(path);  // otherwise the reader reports the change
    }
    return paths;
}

bool SeriesIndex::refresh() {
    const std::size_t notes = notes_.size();
    const std::vector<SeriesMember> before = members_;
    try {
        look();
        missing_.clear();
    } catch (const Error& error) {
        if (missing_ != error.what())
            notes_.push_back(fmt::format("{}; still looking for new snapshots", error.what()));
        missing_ = error.what();
    }
    return notes_.size() != notes || members_ != before;
}

/// Reads the header of one file per snapshot first; this may make the other files superfluous.
void SeriesIndex::look() {
    std::vector<std::filesystem::path> first, others;
    std::set<std::string> sets;
    for (std::filesystem::path& path : unseen()) {
        const std::string set = name_of_set(path);
        if (set == path.string() || sets.insert(set).second)
            first.push_back(std::move(path));
        else
            others.push_back(std::move(path));
    }
    read_heads(first);
    std::erase_if(others, [&](const std::filesystem::path& path) { return sets_.contains(name_of_set(path)); });
    read_heads(others);
}

std::vector<SeriesIndex::Found> SeriesIndex::heads_of(const std::vector<std::filesystem::path>& paths) const {
    std::vector<Found> found(paths.size());
    Pool pool{0, true};  // starting the process that reads an HDF5 file takes longer than reading
    pool.parallel_for(0, paths.size(), [&](std::uint64_t i) {
        found[i].path = paths[i];
        try {
            found[i].head = read_head(paths[i]);
        } catch (const std::exception& error) {
            found[i].failure = error.what();
        }
    });
    return found;
}

void SeriesIndex::read_heads(const std::vector<std::filesystem::path>& paths) {
    std::vector<Found> found = heads_of(paths);
    for (Found& file : found)
        if (!file.failure.empty()) notes_.push_back(file.failure);
    std::erase_if(found, [](const Found& file) { return !file.failure.empty(); });
    std::vector<double> stated;
    for (const Found& file : found) stated.push_back(file.head.time);
    take_times_from_names(found);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (add(found[i].path, found[i].head))
            std::ranges::find(members_, found[i].path, &SeriesMember::path)->stated = stated[i];
}

/// The first files decide; later ones follow unless they state a different time.
void SeriesIndex::take_times_from_names(std::vector<Found>& found) {
    std::vector<std::filesystem::path> paths;
    for (const SeriesMember& member : members_) paths.push_back(member.path);
    for (const Found& file : found) paths.push_back(file.path);
    if (found.empty() || paths.size() < 2 || (!members_.empty() && !by_names_)) return;
    const double time = members_.empty() ? found.front().head.time : members_.front().stated;
    const auto same = [&](const Found& file) { return file.head.time == time && file.head.files == 1; };
    if (!std::ranges::all_of(found, same)) return;
    const auto numbers = numbers_in(paths);
    if (!numbers) return;
    for (std::size_t i = 0; i < found.size(); ++i) found[i].head.time = (*numbers)[members_.size() + i];
    by_names_ = true;
}

void SeriesIndex::require_bodies(std::uint64_t bodies) {
    bodies_ = bodies;
    for (const SeriesMember& member : members_)
        if (member.bodies != bodies)
            notes_.push_back(
                fmt::format("{}: holds {} bodies, the series {}", member.path.string(), member.bodies, bodies));
    std::erase_if(members_, [&](const SeriesMember& member) { return member.bodies != bodies; });
}

/// Returns whether the file is a new member.
bool SeriesIndex::add(const std::filesystem::path& path, const SnapshotHead& head) {
    const auto refuse = [&](std::string why) { return notes_.push_back(std::move(why)), false; };
    if (head.files > 1 && !sets_.insert(name_of_set(path)).second) return false;
    if (!std::isfinite(head.time)) return refuse(fmt::format("{}: time is {}", path.string(), head.time));
    if (bodies_ && head.bodies != *bodies_)
        return refuse(fmt::format("{}: holds {} bodies, the series {}", path.string(), head.bodies, *bodies_));
    const auto place = std::ranges::lower_bound(members_, head.time, {}, &SeriesMember::time);
    if (place != members_.end() && place->time == head.time)
        return refuse(fmt::format("{}: has the same time as {}, {}", path.string(), place->path.string(), head.time));
    members_.insert(place, {path, head.time, head.time, head.bodies, box_of(head.box)});
    return true;
}

void SeriesIndex::note_order() {
    const auto back = std::ranges::adjacent_find(members_, [](const SeriesMember& a, const SeriesMember& b) {
        return naturally_before(b.path.string(), a.path.string());
    });
    if (back != members_.end())
        notes_.push_back(fmt::format("{}: is earlier than {}; sorted by time, not by name", back->path.string(),
                                     (back + 1)->path.string()));
}

void SeriesIndex::remove(const std::filesystem::path& path, const std::string& why) {
    std::erase_if(members_, [&](const SeriesMember& member) { return member.path == path; });
    sets_.erase(name_of_set(path));  // it may be complete later
    seen_[path] = stamp_of(path);
    notes_.push_back(why);
}

}  // namespace orrery
