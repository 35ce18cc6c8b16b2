// SPDX-License-Identifier: MIT
#include "core/series/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/thread_priority.hpp"
#include "core/formats/formats.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMostAhead = 64;  // members read ahead, on either side
constexpr std::size_t kMostReaders = 8;
constexpr std::size_t kMostNotes = 5;  // listed individually
constexpr std::size_t kLeastBudget = std::size_t{64} << 20;
constexpr std::chrono::seconds kLookPeriod{1};

/// "snap_*.h5", "out"; the whole source if it is a folder with a trailing slash.
std::string id_of(const std::string& source) {
    const std::string name = std::filesystem::path{source}.filename().string();
    return name.empty() ? source : name;
}

void add_notes(Scene& scene, const std::vector<std::string>& notes) {
    const std::size_t told = std::min(notes.size(), kMostNotes);
    scene.notes.insert(scene.notes.end(), notes.begin(), notes.begin() + static_cast<std::ptrdiff_t>(told));
    if (told < notes.size())
        scene.notes.push_back(
            fmt::format("{}: {} more remarks about its files, similar to the last one", scene.id, notes.size() - told));
}

}  // namespace

std::size_t Series::default_budget() {
    return std::max(kLeastBudget, static_cast<std::size_t>(available_memory() / 4));
}

std::unique_ptr<Series> Series::of_file(const std::filesystem::path& path) {
    if (!may_have_times(path)) return nullptr;
    auto folder = std::make_unique<TemporaryFolder>();
    const std::vector<std::filesystem::path> files = split_by_time(path, folder->path());
    if (files.empty()) return nullptr;
    auto series = std::make_unique<Series>(std::vector<std::string>{files.begin(), files.end()});
    series->folder_ = std::move(folder);
    std::vector<std::string>& notes = series->first_.notes;
    notes.insert(notes.begin(),
                 fmt::format("{}: has {} times, which are played", series->first_.id, series->times()->size()));
    return series;
}

Series::Series(std::vector<std::string> sources, std::size_t budget)
    : budget_{budget}, index_{sources}, first_{first_scene()}, reader_{first_} {
    first_.id = first_.label = id_of(sources.front());
    if (!reader_.by_ids()) index_.require_bodies(first_.bodies.size());
    if (index_.by_names()) {
        first_.time = index_.members().front().time;
        first_.days_per_time = 0;  // a file number is not a time
        first_.notes.push_back(first_.id +
                               ": its files do not contain times; the numbers in their names are used instead, "
                               "and bodies move on straight lines between snapshots");
    }
    first_.steps_per_frame = 1;  // the player decides how far a step goes
    if (!reader_.by_ids())
        first_.notes.push_back(first_.id +
                               ": bodies without ids or with a repeated id: matched by their places in a file");
    note_new_bodies();
    add_notes(first_, index_.notes());
    notes_told_ = index_.notes().size();
    index_by_names_ = index_.by_names();
    adopt_index();
    const SeriesMember& front = index_.members().front();
    keep(front.path, {.time = front.time,
                      .box = front.box,
                      .bodies = {.position_mass = first_.bodies.position_mass, .velocity = first_.bodies.velocity},
                      .scale_factor = first_.scale_factor});
    for (std::size_t i = 0; i < reader_count(); ++i)
        threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
}

/// Notes bodies that the first snapshot lacks, such as stars that form later, by the numbers in the files' headers.
void Series::note_new_bodies() {
    if (!reader_.by_ids()) return;
    const std::uint64_t count = first_.bodies.size();
    const auto more = [&](const SeriesMember& member) { return member.bodies > count; };
    const auto snapshots = std::ranges::count_if(index_.members(), more);
    if (snapshots == 0) return;
    const std::uint64_t most = std::ranges::max(index_.members(), {}, &SeriesMember::bodies).bodies;
    first_.notes.push_back(fmt::format(
        "{}: {} of {} snapshots hold more bodies than the first one, up to {} more: bodies that appear later, such as "
        "stars that form, are not shown",
        first_.id, snapshots, index_.members().size(), most - count));
}

std::size_t Series::bytes_of_each() const { return first_.bodies.size() * (sizeof(Vec4d) + sizeof(Vec3d)); }

/// Reserves a quarter of the budget for members being read, which are not counted in it yet.
std::size_t Series::reader_count() const {
    const std::size_t room = budget_ / 4 / std::max<std::size_t>(bytes_of_each(), 1);
    const std::size_t cores = std::thread::hardware_concurrency();
    return std::clamp<std::size_t>(room, 1, std::clamp<std::size_t>(cores / 2, 2, kMostReaders));
}

/// The header may be valid although the bodies are not readable.
Scene Series::first_scene() {
    for (;;) {
        const std::filesystem::path path = index_.members().front().path;
        try {
            return read_snapshot(path);
        } catch (const Error& error) {
            if (index_.members().size() == 1) throw;
            index_.remove(path, error.what());
        }
    }
}

std::shared_ptr<const std::vector<double>> Series::times() const {
    const std::lock_guard lock{mutex_};
    return times_;
}

void Series::follow(bool on) {
    const std::lock_guard lock{mutex_};
    follows_ = on;
    changed_.notify_all();
}

std::vector<std::string> Series::remarks() {
    const std::lock_guard lock{mutex_};
    return std::exchange(remarks_, {});
}

/// Queues the members around this time first, then two ahead for each one behind, within the budget.
void Series::want(double time, bool backward) {
    const Members& members = *members_;
    wanted_.clear();
    if (members.empty()) return;
    const auto after = std::ranges::lower_bound(members, time, {}, &SeriesMember::time) - members.begin();
    const auto last = std::ssize(members) - 1;
    const auto right = std::min(after, last);
    const bool between = right == after && after > 0 && members[static_cast<std::size_t>(after)].time != time;
    const auto left = between ? right - 1 : right;
    const std::size_t room = std::clamp<std::size_t>(budget_ / bytes_of_each(), 2, 2 * kMostAhead);
    const auto add = [&](std::ptrdiff_t i) {
        if (i >= 0 && i <= last && wanted_.size() < room) wanted_.push_back(members[static_cast<std::size_t>(i)]);
    };
    add(backward ? right : left);
    if (between) add(backward ? left : right);
    for (std::ptrdiff_t i = 1; i <= static_cast<std::ptrdiff_t>(kMostAhead); ++i) {
        add(backward ? left - i : right + i);
        if (i % 2 == 0) add(backward ? right + i / 2 : left - i / 2);
    }
    changed_.notify_all();
}

std::optional<Interpolation> Series::at(double time, bool backward, Seconds patience) {
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(patience);
    std::unique_lock lock{mutex_};
    for (;;) {
        if (members_->empty()) usage_error(first_.id + ": no snapshot of the series is readable any more");
        time = std::clamp(time, times_->front(), times_->back());
        want(time, backward);
        const auto one = kept_.find(wanted_.front().path);
        const bool whole = wanted_.front().time == time;
        const auto other = whole ? one : kept_.find(wanted_[1].path);
        if (one != kept_.end() && other != kept_.end()) {
            const auto from = one->second, to = other->second;
            lock.unlock();
            if (whole) return Interpolation{from, from, false, pool_};
            return from->time < to->time ? between(from, to) : between(to, from);
        }
        if (changed_.wait_until(lock, deadline) == std::cv_status::timeout) return std::nullopt;
    }
}

Interpolation Series::between(Interpolation::Moment from, Interpolation::Moment to) {
    if (index_by_names_) return {std::move(from), std::move(to), true, pool_};
    const auto [known, is_new] = straight_.try_emplace({from->time, to->time});
    const bool by_scale = expands(*from) && expands(*to);  // velocities are per time, which the scale factor is not
    if (is_new) known->second = by_scale || velocities_mislead(*from, *to, pool_);
    if (by_scale && !std::exchange(told_straight_, true)) {
        const std::lock_guard lock{mutex_};
        remarks_.push_back(
            fmt::format("{}: its times are scale factors a: bodies move linearly in a between snapshots", first_.id));
    }
    if (known->second && !std::exchange(told_straight_, true)) {
        const std::lock_guard lock{mutex_};
        remarks_.push_back(fmt::format(
            "{}: velocities are inconsistent with the motion from time {} to {}: bodies move on straight lines there",
            first_.id, from->time, to->time));
    }
    return {std::move(from), std::move(to), known->second, pool_};
}

void Series::run(const std::stop_token& stop) {
    lower_thread_priority();
    const auto due = [this] { return follows_ && Clock::now() >= next_look_; };
    std::unique_lock lock{mutex_};
    while (!stop.stop_requested()) {
        if (const auto member = next_wanted()) {
            reading_.insert(member->path);
            lock.unlock();
            read(*member);
            lock.lock();
            reading_.erase(member->path);
        } else if (due()) {
            next_look_ = Clock::time_point::max();  // keeps other threads from refreshing too
            lock.unlock();
            look_for_more();
            lock.lock();
        } else {
            const bool follows = follows_;
            changed_.wait_for(lock, stop, kLookPeriod, [&] { return next_wanted() || due() || follows_ != follows; });
        }
    }
}

std::optional<SeriesMember> Series::next_wanted() const {
    const auto next = std::ranges::find_if(
        wanted_, [&](const SeriesMember& m) { return !kept_.contains(m.path) && !reading_.contains(m.path); });
    if (next == wanted_.end()) return std::nullopt;
    return *next;
}

void Series::read(const SeriesMember& member) {
    try {
        MemberReader::Read read = reader_.read(member);
        {  // before the state, so that the remark on bodies is there when they are
            const std::lock_guard lock{mutex_};
            if (!read.remark.empty() && !std::exchange(told_common_, true)) remarks_.push_back(std::move(read.remark));
        }
        keep(member.path, std::move(read.state));
    } catch (const std::exception& error) {  // an unreadable file, or out of memory
        const std::lock_guard of_index{index_mutex_};
        index_.remove(member.path, error.what());
        adopt_index();
    }
}

void Series::keep(const std::filesystem::path& path, TimedBodies state) {
    auto kept = std::make_shared<const TimedBodies>(std::move(state));
    const std::lock_guard lock{mutex_};
    for (auto other = kept_.begin(); other != kept_.end() && kept_bytes_ + kept->bytes() > budget_;) {
        const bool needed = std::ranges::find(wanted_, other->first, &SeriesMember::path) != wanted_.end();
        if (!needed) kept_bytes_ -= other->second->bytes();
        other = needed ? std::next(other) : kept_.erase(other);
    }
    kept_bytes_ += kept->bytes();
    kept_[path] = std::move(kept);
    changed_.notify_all();
}

void Series::look_for_more() {
    std::string failure;
    try {
        const std::lock_guard of_index{index_mutex_};
        if (index_.refresh()) adopt_index();
    } catch (const std::exception& error) {  // out of memory or threads: keep the present members
        failure = fmt::format("{}: cannot look for new snapshots: {}", first_.id, error.what());
    }
    const std::lock_guard lock{mutex_};
    if (!failure.empty() && failure != told_failure_) remarks_.push_back(failure);
    told_failure_ = std::move(failure);
    next_look_ = Clock::now() + kLookPeriod;
}

/// Makes the members of the index those of the series, and publishes its new notes.
void Series::adopt_index() {
    auto members = std::make_shared<const Members>(index_.members());
    auto times = std::make_shared<std::vector<double>>();
    for (const SeriesMember& member : *members) times->push_back(member.time);
    const std::lock_guard lock{mutex_};
    members_ = std::move(members);
    if (!times->empty() || !times_) times_ = std::move(times);  // a player needs at least one time
    remarks_.insert(remarks_.end(), index_.notes().begin() + static_cast<std::ptrdiff_t>(notes_told_),
                    index_.notes().end());
    notes_told_ = index_.notes().size();
    std::erase_if(wanted_, [&](const SeriesMember& m) { return std::ranges::find(*members_, m) == members_->end(); });
    changed_.notify_all();
}

}  // namespace orrery
