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

/// Numbered snapshots of a run; number k is the first state at or after k intervals. A separate thread writes them
/// while the run continues; at most two wait for it. One that cannot be written is reported; the run and later
/// snapshots continue.
class SnapshotSeries {
public:
    /// Throws Error: kUsage for a name without a number, an unknown extension, an interval without names, or
    /// accelerations with an integrator whose steps do not end with them; kEnvironment if files cannot be written. For
    /// a resumed run, snapshots up to its state are assumed to exist.
    SnapshotSeries(const SeriesSettings& settings, const Simulation& simulation, const RunRecord& run);
    SnapshotSeries(const SnapshotSeries&) = delete;
    SnapshotSeries& operator=(const SnapshotSeries&) = delete;

    /// True if the next snapshot needs forces that no step has evaluated yet.
    bool wants_forces(const Simulation& simulation) const;
    std::uint64_t steps_left(const Simulation& simulation) const;  ///< until one may be due
    void stepped(const Simulation& simulation);                    ///< call before the first step and after each one
    void settle() {                                                ///< waits until all due snapshots are on disk
        if (writer_) writer_->settle();
    }
    std::uint64_t written() const { return writer_ ? writer_->written() : 0; }  ///< number of files, after settle()
    /// The first error, after settle().
    std::optional<Error> refused() const { return writer_ ? writer_->refused() : std::nullopt; }

private:
    std::int64_t number_at(const Simulation& simulation) const;
    void require_sound(const Simulation& simulation) const;

    SeriesSettings settings_;
    Scene scene_;  // without the bodies
    std::uint64_t every_ = 0;
    double interval_ = 0;
    std::int64_t last_ = -1;  // number of the last one that was due
    std::optional<SeriesWriter> writer_;
};

}  // namespace orrery
