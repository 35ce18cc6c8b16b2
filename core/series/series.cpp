// SPDX-License-Identifier: MIT
#include "core/series/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/bodies/optics.hpp"
#include "core/formats/fields.hpp"
#include "core/formats/formats.hpp"

namespace orrery {
namespace {

constexpr double kSameUnit = 1e-6;  // relative; files store rounded values

bool same(double a, double b) { return std::abs(a - b) <= kSameUnit * std::max(std::abs(a), std::abs(b)); }

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

MemberReader::MemberReader(const Scene& first, std::string fields)
    : count_{first.bodies.size()},
      ids_{first.bodies.ids},
      constant_{first.gravity.constant},
      days_per_time_{first.days_per_time},
      length_unit_{first.length_unit},
      mass_unit_{first.mass_unit},
      fields_{std::move(fields)} {
    sorted_ = sorted_by_id(ids_);
    const auto twice = std::ranges::adjacent_find(sorted_, {}, [&](std::size_t i) { return ids_[i]; });
    if (twice != sorted_.end()) sorted_.clear();
}

std::vector<std::size_t> MemberReader::sorted_by_id(const std::vector<std::uint64_t>& ids) const {
    std::vector<std::size_t> sorted(ids.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::ranges::sort(sorted, {}, [&](std::size_t i) { return ids[i]; });
    return sorted;
}

MemberReader::Read MemberReader::read(const SeriesMember& member) const {
    Scene scene = read_snapshot(member.path);
    const std::string path = member.path.string();
    if (scene.time != member.stated)
        usage_error(fmt::format("{}: has changed: its time was {} and is {}", path, member.stated, scene.time));
    Bodies& bodies = scene.bodies;
    load_fields(member.path, fields_, scene);
    const bool same_number = bodies.size() == count_;
    if (!same_number && (!by_ids() || bodies.ids.empty()))
        usage_error(fmt::format("{}: holds {} bodies, the series {}", path, bodies.size(), count_));
    require_units(member, scene);
    std::string remark;
    if (!same_number || !put_in_order(bodies)) remark = take_common(member, bodies);
    return {{.time = member.time,
             .box = member.box,
             .bodies = {.position_mass = std::move(bodies.position_mass),
                        .velocity = std::move(bodies.velocity),
                        .fields = std::move(bodies.fields)},
             .scale_factor = scene.scale_factor,
             .expansion = expansion_of(scene)},
            std::move(remark)};
}

void MemberReader::require_units(const SeriesMember& member, const Scene& scene) const {
    const auto refuse = [&](const char* what, const std::string& found, const std::string& expected) {
        usage_error(fmt::format("{}: its unit of {} is {}, that of the series is {}", member.path.string(), what,
                                found.empty() ? "not named" : found, expected.empty() ? "not named" : expected));
    };
    if (scene.length_unit != length_unit_) refuse("length", scene.length_unit, length_unit_);
    if (scene.mass_unit != mass_unit_) refuse("mass", scene.mass_unit, mass_unit_);
    if (!same(scene.days_per_time, days_per_time_))
        refuse("time", fmt::format("{} days", scene.days_per_time), fmt::format("{} days", days_per_time_));
    if (!same(scene.gravity.constant, constant_))
        usage_error(fmt::format("{}: G is {} in its units, but {} in those of the series", member.path.string(),
                                scene.gravity.constant, constant_));
}

/// The fields with the value of row `from[i]` in row i; kNowhere: none.
constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
void reorder_fields(std::vector<BodyField>& fields, const std::vector<std::size_t>& from) {
    for (BodyField& field : fields) {
        const float absent = adds_light(field.name) ? 0 : std::numeric_limits<float>::quiet_NaN();
        std::vector<float> values(from.size(), absent);
        for (std::size_t i = 0; i < from.size(); ++i)
            if (from[i] != kNowhere) values[i] = (*field.values)[from[i]];
        field = with_values(field, std::move(values));
    }
}

/// False: it has other bodies.
bool MemberReader::put_in_order(Bodies& bodies) const {
    if (!by_ids() || bodies.ids == ids_) return true;
    if (bodies.ids.empty()) return false;
    const std::vector<std::size_t> sorted = sorted_by_id(bodies.ids);
    std::vector<Vec4d> position_mass(count_);
    std::vector<Vec3d> velocity(count_);
    for (std::size_t i = 0; i < count_; ++i) {
        if (bodies.ids[sorted[i]] != ids_[sorted_[i]]) return false;
        position_mass[sorted_[i]] = bodies.position_mass[sorted[i]];
        velocity[sorted_[i]] = bodies.velocity[sorted[i]];
    }
    if (!bodies.fields.empty()) {
        std::vector<std::size_t> from(count_);
        for (std::size_t i = 0; i < count_; ++i) from[sorted_[i]] = sorted[i];
        reorder_fields(bodies.fields, from);
    }
    bodies.position_mass = std::move(position_mass);
    bodies.velocity = std::move(velocity);
    return true;
}

/// Puts the bodies that the snapshot shares with the first one into the order of the first.
std::string MemberReader::take_common(const SeriesMember& member, Bodies& bodies) const {
    const std::vector<std::size_t> sorted = sorted_by_id(bodies.ids);
    const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(bodies.position_mass, {}, &Vec4d::w) -
                                                   bodies.position_mass.begin());
    const Vec4d& place = bodies.position_mass[heaviest];
    std::vector<Vec4d> position_mass(count_, {place.x, place.y, place.z, 0});
    std::vector<Vec3d> velocity(count_, bodies.velocity[heaviest]);
    std::vector<std::size_t> from(bodies.fields.empty() ? 0 : count_, kNowhere);
    std::size_t common = 0;
    std::optional<std::uint64_t> lacking;
    auto at = sorted.begin();
    for (const std::size_t body : sorted_) {
        while (at != sorted.end() && bodies.ids[*at] < ids_[body]) ++at;
        if (at == sorted.end() || bodies.ids[*at] != ids_[body]) {
            if (!lacking) lacking = ids_[body];
            continue;
        }
        position_mass[body] = bodies.position_mass[*at];
        velocity[body] = bodies.velocity[*at];
        if (!from.empty()) from[body] = *at;
        ++common, ++at;
    }
    const std::string path = member.path.string();
    if (2 * common < std::max(count_, bodies.size()))
        usage_error(
            fmt::format("{}: has other bodies than the series: only {} of {} are the same", path, common, count_));
    std::string remark = path + ":";
    if (common < count_)
        remark += fmt::format(
            " lacks {} of {} bodies of the first snapshot (the first has id {}): they are shown without "
            "mass at the position of the heaviest body",
            count_ - common, count_, *lacking);
    if (common < bodies.size())
        remark += fmt::format("{} {} bodies that are not in the first snapshot are not shown",
                              common < count_ ? ";" : "", bodies.size() - common);
    bodies.position_mass = std::move(position_mass);
    bodies.velocity = std::move(velocity);
    reorder_fields(bodies.fields, from);
    return remark;
}

std::size_t MemberCache::reader_count() const {
    const std::size_t room = budget_ / 4 / std::max<std::size_t>(bytes_of_each_, 1);
    const std::size_t cores = std::thread::hardware_concurrency();
    return std::clamp<std::size_t>(room, 1, std::clamp<std::size_t>(cores / 2, 2, kMostReaders));
}

void MemberCache::want(const std::vector<SeriesMember>& members, double time, bool backward) {
    wanted_.clear();
    if (members.empty()) return;
    const auto after = std::ranges::lower_bound(members, time, {}, &SeriesMember::time) - members.begin();
    const auto last = std::ssize(members) - 1;
    const auto right = std::min(after, last);
    const bool between = right == after && after > 0 && members[static_cast<std::size_t>(after)].time != time;
    const auto left = between ? right - 1 : right;
    const std::size_t room = std::clamp<std::size_t>(budget_ / bytes_of_each_, 2, 2 * kMostAhead);
    const auto add = [&](std::ptrdiff_t i) {
        if (i >= 0 && i <= last && wanted_.size() < room) wanted_.push_back(members[static_cast<std::size_t>(i)]);
    };
    add(backward ? right : left);
    if (between) add(backward ? left : right);
    for (std::ptrdiff_t i = 1; i <= static_cast<std::ptrdiff_t>(kMostAhead); ++i) {
        add(backward ? left - i : right + i);
        if (i % 2 == 0) add(backward ? right + i / 2 : left - i / 2);
    }
}

void MemberCache::restrict_to(const std::vector<SeriesMember>& members) {
    std::erase_if(wanted_, [&](const SeriesMember& m) { return std::ranges::find(members, m) == members.end(); });
}

std::optional<SeriesMember> MemberCache::next() const {
    const auto next = std::ranges::find_if(
        wanted_, [&](const SeriesMember& m) { return !kept_.contains(m.path) && !reading_.contains(m.path); });
    if (next == wanted_.end()) return std::nullopt;
    return *next;
}

void MemberCache::keep(const std::filesystem::path& path, Interpolation::Moment state) {
    for (auto other = kept_.begin(); other != kept_.end() && kept_bytes_ + state->bytes() > budget_;) {
        const bool needed = std::ranges::find(wanted_, other->first, &SeriesMember::path) != wanted_.end();
        if (!needed) kept_bytes_ -= other->second->bytes();
        other = needed ? std::next(other) : kept_.erase(other);
    }
    kept_bytes_ += state->bytes();
    kept_[path] = std::move(state);
}

Interpolation::Moment MemberCache::find(const SeriesMember& member) const {
    const auto found = kept_.find(member.path);
    return found == kept_.end() ? nullptr : found->second;
}

std::size_t Series::default_budget() {
    return std::max(kLeastBudget, static_cast<std::size_t>(available_memory() / 4));
}

std::unique_ptr<Series> Series::of_file(const std::filesystem::path& path, const std::string& fields) {
    if (!may_have_times(path)) return nullptr;
    auto folder = std::make_unique<TemporaryFolder>();
    const std::vector<std::filesystem::path> files = split_by_time(path, folder->path());
    if (files.empty()) return nullptr;
    auto series =
        std::make_unique<Series>(std::vector<std::string>{files.begin(), files.end()}, default_budget(), fields);
    series->folder_ = std::move(folder);
    std::vector<std::string>& notes = series->first_.notes;
    notes.insert(notes.begin(),
                 fmt::format("{}: has {} times, which are played", series->first_.id, series->times()->size()));
    return series;
}

Series::Series(std::vector<std::string> sources, std::size_t budget, std::string fields)
    : index_{sources},
      first_{first_scene(fields)},
      reader_{first_, std::move(fields)},
      cache_{budget,
             TimedBodies{.bodies = {.position_mass = first_.bodies.position_mass, .fields = first_.bodies.fields}}
                 .bytes()} {
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
    remarks_.notes = index_.notes().size();
    index_by_names_ = index_.by_names();
    adopt_index();
    const SeriesMember& front = index_.members().front();
    keep(front.path, {.time = front.time,
                      .box = front.box,
                      .bodies = {.position_mass = first_.bodies.position_mass,
                                 .velocity = first_.bodies.velocity,
                                 .fields = first_.bodies.fields},
                      .scale_factor = first_.scale_factor,
                      .expansion = expansion_of(first_)});
    for (std::size_t i = 0; i < cache_.reader_count(); ++i)
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

/// The header may be valid although the bodies are not readable.
Scene Series::first_scene(const std::string& fields) {
    for (;;) {
        const std::filesystem::path path = index_.members().front().path;
        try {
            Scene scene = read_snapshot(path);
            load_fields(path, fields, scene);
            return scene;
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
    return std::exchange(remarks_.lines, {});
}

std::optional<Interpolation> Series::at(double time, bool backward, Seconds patience) {
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(patience);
    std::unique_lock lock{mutex_};
    for (;;) {
        if (members_->empty()) usage_error(first_.id + ": no snapshot of the series is readable any more");
        time = std::clamp(time, times_->front(), times_->back());
        cache_.want(*members_, time, backward);
        changed_.notify_all();
        const std::vector<SeriesMember>& wanted = cache_.wanted();
        const bool whole = wanted.front().time == time;
        const auto from = cache_.find(wanted.front()), to = whole ? from : cache_.find(wanted[1]);
        if (from && to) {
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
        remarks_.lines.push_back(
            fmt::format("{}: its times are scale factors a: bodies move linearly in a between snapshots", first_.id));
    }
    if (known->second && !std::exchange(told_straight_, true)) {
        const std::lock_guard lock{mutex_};
        remarks_.lines.push_back(fmt::format(
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
        if (const auto member = cache_.next()) {
            cache_.begin_reading(*member);
            lock.unlock();
            read(*member);
            lock.lock();
            cache_.end_reading(*member);
        } else if (due()) {
            next_look_ = Clock::time_point::max();  // keeps other threads from refreshing too
            lock.unlock();
            look_for_more();
            lock.lock();
        } else {
            const bool follows = follows_;
            changed_.wait_for(lock, stop, kLookPeriod, [&] { return cache_.next() || due() || follows_ != follows; });
        }
    }
}

void Series::read(const SeriesMember& member) {
    try {
        MemberReader::Read read = reader_.read(member);
        {  // before the state, so that the remark on bodies is there when they are
            const std::lock_guard lock{mutex_};
            if (!read.remark.empty() && !std::exchange(remarks_.common, true))
                remarks_.lines.push_back(std::move(read.remark));
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
    cache_.keep(path, std::move(kept));
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
    if (!failure.empty() && failure != remarks_.failure) remarks_.lines.push_back(failure);
    remarks_.failure = std::move(failure);
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
    remarks_.lines.insert(remarks_.lines.end(), index_.notes().begin() + static_cast<std::ptrdiff_t>(remarks_.notes),
                          index_.notes().end());
    remarks_.notes = index_.notes().size();
    cache_.restrict_to(*members_);
    changed_.notify_all();
}

}  // namespace orrery
