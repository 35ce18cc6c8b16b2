// SPDX-License-Identifier: MIT
#include "core/live/snapshot_recorder.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "core/base/numbered_name.hpp"
#include "core/base/output_file.hpp"
#include "core/formats/formats.hpp"
#include "core/live/status.hpp"

namespace orrery {

void SnapshotRecorder::begin(const Simulation& simulation, const RecordSnapshots& wish) {
    if (on_) usage_error("a series of snapshots is being written already");
    if (writer_ && !writer_->idle()) usage_error("the last series of snapshots is still being written");
    if (wish.every < 1) usage_error("steps between two snapshots: must be 1 or more");
    if (!is_pattern(wish.pattern))
        usage_error(fmt::format("{}: expected a placeholder for the number, such as snap_%04d.h5", wish.pattern));
    const std::filesystem::path first = numbered(wish.pattern, 0);
    is_hdf5_snapshot(first);  // throws for an unknown extension
    Destination{first}.require_writable();
    Scene scene = simulation.scene();
    scene.bodies = {};  // each snapshot brings names and ids
    writer_ = std::make_unique<SeriesWriter>(std::vector{wish.pattern}, SeriesOutput{}, std::move(scene),
                                             [](const Error&) { return false; });
    every_ = wish.every;
    number_ = 0, next_ = simulation.now().steps;
    failure_.clear(), failed_ = false;
    on_ = true;
    adopt_bodies(simulation);
}

void SnapshotRecorder::adopt_bodies(const Simulation& simulation) {
    if (on_) labels_ = std::make_shared<const Bodies>(simulation.system().labels());
}

bool SnapshotRecorder::due(const Simulation& simulation) const {
    return on_ && !simulation.within_step() && simulation.now().steps >= next_;
}

void SnapshotRecorder::take(const Simulation& simulation) {
    if (!due(simulation) || !writer_->room()) return;
    try {
        writer_->add({number_, simulation.now().time, simulation.system().copy(),
                      simulation.encounters().labels() ? simulation.encounters().labels() : labels_,
                      simulation.scene().gravity, simulation.scene().dt});
    } catch (const std::exception& error) {  // out of memory, or a device error
        failure_ = error.what(), failed_ = true;
        return end();
    }
    ++number_;
    next_ = simulation.now().steps + static_cast<std::int64_t>(every_);
}

std::uint64_t SnapshotRecorder::steps_left(const Simulation& simulation) const {
    if (!on_) return std::numeric_limits<std::uint64_t>::max();
    return next_ > simulation.now().steps ? static_cast<std::uint64_t>(next_ - simulation.now().steps) : 1;
}

void SnapshotRecorder::report_to(Status& status) {
    SnapshotsStatus& told = status.saving.snapshots;
    const bool idle = !writer_ || writer_->idle();  // read before the results, so that none can follow
    if (writer_) {
        if (const auto refused = writer_->refused(); refused && !failed_) {
            failure_ = refused->what(), failed_ = true;
            end();
        }
        told.written = writer_->written(), told.last = writer_->last();
    }
    told.on = on_, told.ending = !on_ && !idle, told.failed = failed_;
    if (!on_ && idle) writer_.reset();
    if (failure_.empty()) return;
    status.message.text = "The series of snapshots has ended: " + std::exchange(failure_, {});
    ++status.message.serial;
}

}  // namespace orrery
