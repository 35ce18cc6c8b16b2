// SPDX-License-Identifier: MIT
#include "app/commands/shared_work.hpp"

#include "core/base/standard_streams.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/process_ranks.hpp"

namespace orrery {

void tell_how_shared(const BodySystem& system, const EngineConfig& engine) {
    if (!process_ranks()) return;
    if (!system.shared())
        to_stderr("orrery: note: engine {} on {} does not share its work: each rank computes everything\n",
                  engine.engine, name(engine.backend));
    if (engine.backend != Backend::kCuda) return;
    const std::string how = device_ranks(*process_ranks()).description();
    if (!how.starts_with("NCCL")) to_stderr("orrery: note: accelerations are exchanged by {}\n", how);
}

}  // namespace orrery
