// SPDX-License-Identifier: MIT
#include "app/window/recording/recording_control.hpp"

#include <fmt/format.h>

#include "app/picture/format.hpp"
#include "app/record/recorders.hpp"
#include "app/ui/words.hpp"
#include "app/window/recording/window_recording.hpp"
#include "core/base/text.hpp"
#include "core/formats/hdf5_formats.hpp"

namespace orrery {

void SnapshotsControl::toggle() {
    if (!core_.simulation.ready()) return core_.messages.notice("Nothing to record yet");
    if (core_.simulation.status().saving.snapshots.on) return core_.simulation.send(RecordSnapshots{});
    const SnapshotsToWrite& wish = core_.state.recording.snapshots;
    const std::string by_time = name_by_time(hdf5::kWhyNot.empty() ? "-%04d.h5" : "-%04d.tipsy");
    const std::filesystem::path wanted = expand_home(wish.pattern.empty() ? by_time : wish.pattern);
    std::filesystem::path path = wanted;
    for (int i = 2; holds_something(path); ++i) path = with_counter(wanted, i);
    if (path != wanted)
        core_.messages.notice(phrase("{} exists and stays; recording to {}", wanted.string(), path.string()));
    core_.simulation.send(RecordSnapshots{std::filesystem::absolute(path).string(), wish.every});
}

void SnapshotsControl::watch() {
    const SnapshotsStatus& now = core_.simulation.status().saving.snapshots;
    const bool was = under_way_;
    under_way_ = now.on || now.ending;
    if (was && !under_way_ && !now.failed && now.written > 0)
        core_.messages.file(phrase("Recorded {}", count_phrase(now.written, "snapshot")), now.last);
}

}  // namespace orrery
