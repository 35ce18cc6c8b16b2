// SPDX-License-Identifier: MIT
#include "core/live/state_writers.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <utility>

#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/formats/formats.hpp"
#include "core/live/status.hpp"

namespace orrery {

CheckpointWriter::CheckpointWriter()
    : writing_{[](const auto& task) { write_checkpoint(task.job().checkpoint, task.job().path); },
               [](News& news, const std::string& failure) {
                   news = {failure.empty(), failure};
               }} {}

void CheckpointWriter::take(const Simulation& simulation) {
    const RunRecord run{.steps = static_cast<std::uint64_t>(std::abs(simulation.now().steps))};
    if (!writing_.busy()) writing_.start({checkpoint_of(simulation, run), path_}, [](News& news) { news = {}; });
    path_.clear();
}

void CheckpointWriter::report_to(Status& status) {
    status.saving.autosave_pending = wanted() || writing_.busy();
    const News news = writing_.take([](News& now, bool changed) { return changed ? std::exchange(now, {}) : News{}; });
    if (news.written) ++status.saving.autosaves;
    if (news.failure.empty()) return;
    status.report("Autosave failed: " + news.failure);
}

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
    status.report("The series of snapshots has ended: " + std::exchange(failure_, {}));
}

}  // namespace orrery
