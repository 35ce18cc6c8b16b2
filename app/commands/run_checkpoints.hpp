// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/simulation/checkpoint.hpp"

namespace CLI {
class App;
}

namespace orrery {

struct CheckpointOptions {
    std::string path;  ///< empty: none
    std::uint64_t every_steps = 0;
    double every_minutes = 0;  ///< both 0: every kDefaultMinutes

    static constexpr double kDefaultMinutes = 10;
};
void add_checkpoints(CLI::App& app, CheckpointOptions& options);  ///< --checkpoint --every-steps --every-minutes

/// Writes the checkpoints of a run when they are due. A failed write is reported and repeated when the next one is due;
/// the previous checkpoint stays, and the run continues.
class CheckpointKeeper {
public:
    /// Throws Error{kUsage} for an interval without a file, Error{kEnvironment} if the file cannot be written.
    explicit CheckpointKeeper(CheckpointOptions options);

    bool on() const { return !options_.path.empty(); }
    const std::string& path() const { return options_.path; }
    std::uint64_t steps_left(const Simulation& simulation) const;  ///< until one is due by its number
    bool due(const Simulation& simulation) const;
    void stepped(const Simulation& simulation, const RunRecord& run);
    void write(const Simulation& simulation,
               const RunRecord& run);            ///< writes one now, unless this step has one. Throws on failure
    std::string log_text() const;                ///< ", checkpoint at step 1200", or nothing
    double seconds() const { return seconds_; }  ///< seconds that the last one took

private:
    using Clock = std::chrono::steady_clock;

    CheckpointOptions options_;
    std::optional<std::int64_t> written_;  // step of the last one
    Clock::time_point tried_ = Clock::now();
    double seconds_ = 0;
};

}  // namespace orrery
