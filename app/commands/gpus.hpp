// SPDX-License-Identifier: MIT
#pragma once
#include "core/bodies/body_system.hpp"

namespace CLI {
class App;
}

namespace orrery {

/// Adds --gpus, for commands whose work ranks share.
void add_gpus(CLI::App& command, int& gpus);

/// Adds --ranks, for commands that every rank runs; sets `own` if each rank shall hold only its own bodies.
void add_ranks(CLI::App& command, bool& own);

/// process_ranks() if each holds only its own bodies; otherwise null.
Ranks* ranks_that_own_bodies();
/// Throws Error{kUsage} if such ranks cannot take the steps of this scene.
void require_by_parts(const Scene& scene);

/// Restarts this program as `gpus` ranks with the same arguments and does not return. Returns if `gpus` is 0 or 1, and
/// in each of these ranks. Throws Error: kUsage if the program was started with another number of ranks, kEnvironment
/// if there are fewer GPUs, or no MPI.
void be_ranks_on_gpus(int gpus);

/// Reports on stderr, if there are several ranks, that the engine does not share its work, or why devices exchange it
/// through their hosts. Collective, except under a RankLeader.
void report_sharing(const BodySystem& system, const EngineConfig& engine);

}  // namespace orrery
