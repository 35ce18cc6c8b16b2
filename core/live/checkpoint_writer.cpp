// SPDX-License-Identifier: MIT
#include "core/live/checkpoint_writer.hpp"

#include <cstdlib>
#include <utility>

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
    status.message.text = "Autosave failed: " + news.failure;
    ++status.message.serial;
}

}  // namespace orrery
