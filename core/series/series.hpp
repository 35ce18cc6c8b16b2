// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
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

#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/interpolation.hpp"
#include "core/series/member_reader.hpp"
#include "core/series/series_index.hpp"

namespace orrery {

/// Snapshots of the same bodies at different times, and their motion in between. Threads of its own read them, those
/// next in the direction of play ahead, and keep as many as fit into a budget of memory. One that cannot be read, or
/// is not of the series, is left out, and a remark says so. All members belong to one thread.
class Series {
public:
    using Seconds = std::chrono::duration<double>;

    /// Bytes that snapshots may take unless told otherwise: a quarter of the memory that is available.
    static std::size_t usual_budget();

    /// Files, folders, patterns, as snapshot_files() takes them. Throws Error if no snapshot can be read.
    explicit Series(std::vector<std::string> sources, std::size_t budget = usual_budget());
    Series(const Series&) = delete;
    Series& operator=(const Series&) = delete;

    /// The first snapshot, with remarks about all files.
    const Scene& first() const { return first_; }

    /// Of all snapshots, ascending; a new list with each change, never null or empty: where all files are gone, the
    /// last ones.
    std::shared_ptr<const std::vector<double>> times() const;
    /// The way that leads past this time, or the nearest one that the series has. Empty if that is not read within
    /// `patience`. Throws Error if no snapshot can be read any more. `backward`: what is before this time will be asked
    /// for next.
    std::optional<Interpolation> at(double time, bool backward, Seconds patience);
    /// Looks for new snapshots once a second, or no longer.
    void follow(bool on);
    /// What has been noticed since the last call, one line each.
    std::vector<std::string> remarks();

private:
    using Members = std::vector<SeriesMember>;
    using Clock = std::chrono::steady_clock;

    void run(const std::stop_token& stop);
    std::optional<SeriesMember> next_wanted() const;
    void read(const SeriesMember& member);
    void look_for_more();
    void adopt_index();
    std::size_t bytes_of_each() const;
    std::size_t reader_count() const;
    void keep(const std::filesystem::path& path, TimedBodies state);
    void want(double time, bool backward);
    Scene first_scene();
    Interpolation between(Interpolation::Moment from, Interpolation::Moment to);

    std::size_t budget_;
    std::mutex index_mutex_;  // taken before the other one
    SeriesIndex index_;
    Scene first_;
    MemberReader reader_;
    Pool pool_{0, true};

    /// Whether the way between two times is straight, once it was looked at.
    std::map<std::pair<double, double>, bool> straight_;
    bool told_straight_ = false, index_by_names_ = false;

    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable_any changed_;
    std::shared_ptr<const Members> members_;
    std::shared_ptr<const std::vector<double>> times_;
    std::map<std::filesystem::path, Interpolation::Moment> kept_;
    std::size_t kept_bytes_ = 0;
    std::vector<SeriesMember> wanted_;         // the most urgent first
    std::set<std::filesystem::path> reading_;  // by some thread
    std::vector<std::string> remarks_;
    std::size_t notes_told_ = 0;  // of the index
    bool follows_ = false, told_common_ = false;
    std::string told_failure_;  // of looking for more
    Clock::time_point next_look_{};

    std::vector<std::jthread> threads_;  // last: they use the rest
};

}  // namespace orrery
