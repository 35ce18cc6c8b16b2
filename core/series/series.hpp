// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/files.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/interpolation.hpp"
#include "core/series/series_index.hpp"

namespace orrery {

/// Reads the members of a series as states of the same bodies, in the order of the first snapshot.
class MemberReader {
public:
    /// `fields`: specifications of the fields that are read too, as read_fields() takes them.
    MemberReader(const Scene& first, std::string fields);

    /// A state, and a remark for the user; empty if there is none.
    struct Read {
        TimedBodies state;
        std::string remark;
    };
    /// Matches bodies by id, or by position in the file if the first snapshot has no ids or a repeated one. When
    /// matching by id, a snapshot may lack bodies of the first one (a black hole may have absorbed them): they get mass
    /// 0 and the position of the heaviest body. Skips bodies that are not in the first snapshot. Throws Error as
    /// read_snapshot() does, and kUsage with the file's name if the time differs from the index, the units differ from
    /// the first snapshot, or fewer than half of its bodies are there.
    Read read(const SeriesMember& member) const;
    bool by_ids() const { return !sorted_.empty(); }

private:
    std::vector<std::size_t> sorted_by_id(const std::vector<std::uint64_t>& ids) const;
    void require_units(const SeriesMember& member, const Scene& scene) const;
    bool put_in_order(Bodies& bodies) const;
    std::string take_common(const SeriesMember& member, Bodies& bodies) const;

    std::size_t count_;
    std::vector<std::uint64_t> ids_;
    std::vector<std::size_t> sorted_;  // body numbers of the first snapshot, by id; empty: not matched by id
    double constant_, days_per_time_;
    std::string length_unit_, mass_unit_, fields_;
};

/// Snapshots in memory, and those to be read next, within a memory budget.
class MemberCache {
public:
    /// Bytes of all snapshots, and of each.
    MemberCache(std::size_t budget, std::size_t bytes_of_each) : budget_{budget}, bytes_of_each_{bytes_of_each} {}

    /// The number of threads that read: a quarter of the budget is for members being read, which are not counted yet.
    std::size_t reader_count() const;
    /// Queues the members around this time first, then two ahead for each one behind, within the budget.
    void want(const std::vector<SeriesMember>& members, double time, bool backward);
    /// Drops requested members that are not among these.
    void restrict_to(const std::vector<SeriesMember>& members);
    /// Members to read: first those around the time, most urgent first, then the others.
    const std::vector<SeriesMember>& wanted() const { return wanted_; }
    /// The first one that is neither in memory nor being read.
    std::optional<SeriesMember> next() const;
    void begin_reading(const SeriesMember& member) { reading_.insert(member.path); }
    void end_reading(const SeriesMember& member) { reading_.erase(member.path); }
    /// Removes snapshots that are not wanted until this one fits.
    void keep(const std::filesystem::path& path, Interpolation::Moment state);
    Interpolation::Moment find(const SeriesMember& member) const;  ///< null if it is not in memory

private:
    std::size_t budget_, bytes_of_each_;
    std::map<std::filesystem::path, Interpolation::Moment> kept_;
    std::size_t kept_bytes_ = 0;
    std::vector<SeriesMember> wanted_;
    std::set<std::filesystem::path> reading_;  // by any thread
};

/// Snapshots of the same bodies at different times, and the motion in between. Background threads read members ahead in
/// the direction of play and cache as many as fit into a memory budget. A member that is unreadable or does not belong
/// to the series is dropped with a remark. For use by one thread.
class Series {
public:
    using Seconds = std::chrono::duration<double>;

    /// Default budget for cached snapshots, bytes: a quarter of the available memory.
    static std::size_t default_budget();

    /// Takes files, folders and patterns, as snapshot_files() does. Throws Error if no snapshot is readable.
    /// `fields`: as in SceneRequest; a snapshot that lacks one of them is dropped.
    explicit Series(std::vector<std::string> sources, std::size_t budget = default_budget(), std::string fields = {});
    /// The states of one file that holds several times; null if it holds one.
    static std::unique_ptr<Series> of_file(const std::filesystem::path& path, const std::string& fields = {});
    Series(const Series&) = delete;
    Series& operator=(const Series&) = delete;

    /// The first snapshot, with remarks about all files.
    const Scene& first() const { return first_; }

    /// Times of all snapshots, ascending; a new list after each change. Never null or empty: keeps the last times if
    /// all files disappear.
    std::shared_ptr<const std::vector<double>> times() const;
    /// The interpolation for this time, clamped to the series. Empty if its snapshots are not read within `patience`.
    /// Throws Error if no snapshot is readable any more. `backward`: read ahead towards earlier times.
    std::optional<Interpolation> at(double time, bool backward, Seconds patience);
    /// Starts or stops looking for new snapshots, once a second.
    void follow(bool on);
    /// Remarks since the last call, one line each.
    std::vector<std::string> remarks();

private:
    using Members = std::vector<SeriesMember>;
    using Clock = std::chrono::steady_clock;

    void run(const std::stop_token& stop);
    void read(const SeriesMember& member);
    void look_for_more();
    void adopt_index();
    void keep(const std::filesystem::path& path, TimedBodies state);
    Scene first_scene(const std::string& fields);
    void note_new_bodies();
    Interpolation between(Interpolation::Moment from, Interpolation::Moment to);

    std::unique_ptr<TemporaryFolder> folder_;  // of the snapshots of a file
    std::mutex index_mutex_;                   // locked before mutex_
    SeriesIndex index_;
    Scene first_;
    MemberReader reader_;
    Pool pool_{0, true};

    /// True: bodies move on straight lines between two times; decided on first use.
    std::map<std::pair<double, double>, bool> straight_;
    bool told_straight_ = false, index_by_names_ = false;

    mutable std::mutex mutex_;  // guards the members below
    std::condition_variable_any changed_;
    std::shared_ptr<const Members> members_;
    std::shared_ptr<const std::vector<double>> times_;
    MemberCache cache_;
    /// Remarks since the last call of remarks(), and what has been remarked so far.
    struct Remarks {
        std::vector<std::string> lines;
        std::size_t notes = 0;  // of the index
        bool common = false;    // a snapshot lacks bodies, or has others
        std::string failure;    // the last one of looking for new snapshots
    } remarks_;
    bool follows_ = false;
    Clock::time_point next_look_{};

    std::vector<std::jthread> threads_;  // last member: they use the others
};

}  // namespace orrery
