// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "core/live/actions.hpp"
#include "core/simulation/series_writer.hpp"

namespace orrery {

struct Status;

/// Writes every so many steps a snapshot in the background. Belongs to the simulation's thread; no call waits for the
/// disk. Their times increase: where time runs backward, or is rewound, the next one comes beyond the last.
class SnapshotRecorder {
public:
    /// The first snapshot is of the next end of a step. Throws Error: kUsage for a name without a number or an unknown
    /// extension, or while a series is being written; kEnvironment where nothing can be written.
    void begin(const Simulation& simulation, const RecordSnapshots& wish);
    void end() { on_ = false; }
    void adopt_bodies(const Simulation& simulation);  ///< which have other names and ids
    void take(const Simulation& simulation);          ///< if a snapshot is due and there is room
    /// A snapshot is due for which there is no room yet: no step may be taken.
    bool waits(const Simulation& simulation) const { return due(simulation) && !writer_->room(); }
    std::uint64_t steps_left(const Simulation& simulation) const;  ///< until one is due
    void tell(Status& status);

private:
    bool due(const Simulation& simulation) const;

    std::unique_ptr<SeriesWriter> writer_;  // of the series that is on, or that ends
    std::shared_ptr<const Bodies> labels_;
    std::uint64_t every_ = 1;
    std::int64_t number_ = 0, next_ = 0;  // of the next snapshot: its number, and its least step
    std::string failure_;                 // one line, not yet told
    bool on_ = false, failed_ = false;
};

}  // namespace orrery
