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
#include <string>
#include <thread>
#include <vector>

#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"
#include "core/series/interpolation.hpp"
#include "core/series/member_reader.hpp"
#include "core/series/series_index.hpp"

namespace orrery {

/// Snapshots of the same bodies at different times, and their motion in between. A thread of its own reads them, those
/// next in the direction of play ahead, and keeps as many as fit into a budget of memory. One that cannot be read, or
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

    /// Of all snapshots, ascending; a new list with each change, never null or empty.
    std::shared_ptr<const std::vector<double>> times() const;
    /// The bodies at this time, or at the nearest one that the series has. Empty if that is not read within `patience`.
    /// Throws Error if no snapshot can be read any more. `backward`: what is before this time will be asked for next.
    /// In single precision numbers may be rounded to float.
    std::optional<BodyState> at(double time, bool backward, Seconds patience, Precision precision = Precision::kDouble);
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
    void keep(const std::filesystem::path& path, SeriesState state);
    void want(double time, bool backward);
    Scene first_scene();
    BodyState between(std::shared_ptr<const SeriesState> from, std::shared_ptr<const SeriesState> to, double time,
                      Precision precision);

    std::size_t budget_;
    SeriesIndex index_;  // of the thread, from its beginning on
    Scene first_;
    MemberReader reader_;
    Pool pool_{0, true};

    // The pair of states that was shown last, and the way between them.
    std::shared_ptr<const SeriesState> from_, to_;
    std::optional<Interpolation> way_;
    bool told_straight_ = false;

    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable_any changed_;
    std::shared_ptr<const Members> members_;
    std::shared_ptr<const std::vector<double>> times_;
    std::map<std::filesystem::path, std::shared_ptr<const SeriesState>> kept_;
    std::size_t kept_bytes_ = 0;
    std::vector<SeriesMember> wanted_;  // the most urgent first
    std::vector<std::string> remarks_;
    std::size_t notes_told_ = 0;  // of the index
    bool follows_ = false;
    Clock::time_point next_look_{};

    std::jthread thread_;  // last: it uses the rest
};

}  // namespace orrery
