// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "app/scene/series_settings.hpp"
#include "core/base/error.hpp"
#include "core/simulation/checkpoint.hpp"
#include "core/simulation/series_writer.hpp"
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
    std::uint64_t steps_left(const Simulation& simulation) const;  ///< until one may be due
    void stepped(const Simulation& simulation);                    ///< and before the first step
    void settle() {                                                ///< waits until all that was due is on disk
        if (writer_) writer_->settle();
    }
    std::uint64_t written() const { return writer_ ? writer_->written() : 0; }  ///< after settle(): files
    /// After settle(): the first.
    std::optional<Error> refused() const { return writer_ ? writer_->refused() : std::nullopt; }

private:
    std::int64_t number_at(const Simulation& simulation) const;
    void require_sound(const Simulation& simulation) const;

    SeriesSettings settings_;
    Scene scene_;  // all but what moves
    std::uint64_t every_ = 0;
    double interval_ = 0;
    std::int64_t last_ = -1;  // number that was due last
    std::optional<SeriesWriter> writer_;
};

}  // namespace orrery
