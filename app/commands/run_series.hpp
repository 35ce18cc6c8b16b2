// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/scene/series_settings.hpp"
#include "core/base/error.hpp"
#include "core/bodies/body_copy.hpp"
#include "core/simulation/checkpoint.hpp"
#include "core/simulation/simulation.hpp"

namespace CLI {
class App;
}

namespace orrery {

void add_series(CLI::App& app, SeriesSettings& settings);  ///< --snapshots and the rest

/// Numbered snapshots of a run, number k of the first state at or after k intervals. A thread of its own writes them
/// while the run goes on; at most two wait for it. One that cannot be written is reported once, and the run and later
/// ones go on.
class SnapshotSeries {
public:
    /// Throws Error: kUsage for a name without a number, an unknown extension or an interval without names,
    /// kEnvironment where nothing can be written, kUsage too for accelerations where no step ends with them. Of a run
    /// that is resumed, what belongs to its state and before is there already.
    SnapshotSeries(const SeriesSettings& settings, const Simulation& simulation, const RunRecord& run);
    SnapshotSeries(const SnapshotSeries&) = delete;
    SnapshotSeries& operator=(const SnapshotSeries&) = delete;

    /// The first snapshot needs forces that no step has evaluated yet.
    bool wants_forces(const Simulation& simulation) const;
    std::uint64_t steps_left(const Simulation& simulation) const;     ///< until one may be due
    void stepped(const Simulation& simulation);                       ///< and before the first step
    void settle();                                                    ///< waits until all that was due is on disk
    std::uint64_t written() const { return written_; }                ///< after settle(): files
    const std::optional<Error>& refused() const { return refused_; }  ///< after settle(): the first

private:
    struct Due {
        std::int64_t number;
        double time;
        std::shared_ptr<const BodyCopy> bodies;
        std::shared_ptr<const Bodies> labels;  // null: those of the beginning
    };
    static constexpr std::size_t kMostWaiting = 2;

    std::int64_t number_at(const Simulation& simulation) const;
    void write_all(const std::stop_token& stop);
    void write(const Due& due);
    void require_sound(const Simulation& simulation) const;
    void refuse(const Error& error);

    SeriesSettings settings_;
    Scene scene_;  // all but what moves
    std::uint64_t every_ = 0;
    double interval_ = 0;
    std::int64_t last_ = -1;  // number that was due last

    std::mutex mutex_;  // guards what follows, until settle() has returned
    std::condition_variable_any changed_;
    std::deque<Due> waiting_;
    bool writing_ = false;
    std::uint64_t written_ = 0;
    std::optional<Error> refused_;
    std::jthread thread_;  // last: it uses the rest
};

}  // namespace orrery
