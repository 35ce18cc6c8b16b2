// SPDX-License-Identifier: MIT
#include "app/commands/run_checkpoints.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>

#include "app/cli/options.hpp"
#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {

void add_checkpoints(CLI::App& app, CheckpointOptions& options) {
    app.add_option("--checkpoint", options.path,
                   "Checkpoint file NAME.orrery, from which --resume continues; replaced only by complete checkpoints, "
                   "and written at the end");
    app.add_option("--every-steps", options.every_steps, "Steps between two checkpoints")->check(positive());
    app.add_option("--every-minutes", options.every_minutes,
                   fmt::format("Minutes between two checkpoints (default {:g} if neither is given)",
                               CheckpointOptions::kDefaultMinutes))
        ->check(positive());
}

CheckpointKeeper::CheckpointKeeper(CheckpointOptions options) : options_{std::move(options)} {
    const bool every = options_.every_steps != 0 || options_.every_minutes != 0;
    if (!on() && every) usage_error("--every-steps and --every-minutes need --checkpoint FILE");
    if (!on()) return;
    if (!every) options_.every_minutes = CheckpointOptions::kDefaultMinutes;
    require_checkpoints();
    require_writable(options_.path);
}

bool CheckpointKeeper::due(const Simulation& simulation) const {
    if (!on()) return false;
    const std::chrono::duration<double> passed = Clock::now() - tried_;
    if (options_.every_minutes > 0 && passed.count() >= 60 * options_.every_minutes) return true;
    return options_.every_steps > 0 && simulation.now().moment % options_.every_steps == 0;
}

std::uint64_t CheckpointKeeper::steps_left(const Simulation& simulation) const {
    if (!on() || options_.every_steps == 0) return std::numeric_limits<std::uint64_t>::max();
    return options_.every_steps - simulation.now().moment % options_.every_steps;
}

void CheckpointKeeper::stepped(const Simulation& simulation, const RunRecord& run) {
    if (!due(simulation)) return;
    try {
        write(simulation, run);
    } catch (const Error& refused) {
        to_stderr("orrery: {}; {}, and the run continues\n", refused.what(),
                  std::filesystem::exists(options_.path) ? "the previous one stays" : "there is no previous one");
    }
}

void CheckpointKeeper::write(const Simulation& simulation, const RunRecord& run) {
    if (!on() || written_ == simulation.now().steps) return;
    tried_ = Clock::now();
    write_checkpoint(checkpoint_of(simulation, run), options_.path);
    written_ = simulation.now().steps;
    const auto end = Clock::now();
    seconds_ = std::chrono::duration<double>(end - tried_).count();
    tried_ = end;
}

std::string CheckpointKeeper::log_text() const {
    return written_ ? fmt::format(", checkpoint at step {}", *written_) : std::string{};
}

}  // namespace orrery
