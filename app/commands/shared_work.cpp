// SPDX-License-Identifier: MIT
#include "app/commands/shared_work.hpp"

#include "core/base/standard_streams.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {

void report_sharing(const BodySystem& system, const EngineConfig& engine) {
    if (!process_ranks()) return;
    const bool led = process_ranks()->leader;
    if (!system.shared())
        to_stderr("orrery: note: engine {} on {} does not share its work: {}\n", engine.engine, name(engine.backend),
                  led ? "rank 0 computes everything" : "each rank computes everything");
    if (engine.backend != Backend::kCuda || (led && !system.shared())) return;
    const std::string how = device_ranks(*process_ranks()).description();
    if (!how.starts_with("NCCL")) to_stderr("orrery: note: accelerations are exchanged by {}\n", how);
}

}  // namespace orrery
