// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/bodies/bodies.hpp"
#include "core/diagnostics/diagnostics.hpp"
#include "core/simulation/simulation.hpp"
#include "core/simulation/snapshot.hpp"

namespace orrery {

/// The end and the beginning of a run, for resuming it.
struct RunRecord {
    std::uint64_t steps = 0;           ///< of the whole run, from its beginning
    std::optional<double> until;       ///< or it ends at this time; steps is then 0
    std::optional<Diagnostics> first;  ///< at its beginning: the reference for the drift
};

/// Everything that determines the following steps. In a file: the HDF5 part of a checkpoint that holds a scene (see
/// core/formats/hdf5_formats.hpp), its positions, velocities and accelerations in the precision of the engine and in
/// its order, and groups of attributes: simulation, engine, run.
struct Checkpoint {
    Scene scene;  ///< the current one, with integrator and dt; from checkpoint_of() without positions and velocities
    Snapshot state;
    bool reversed = false;
    RunRecord run;
};

Checkpoint checkpoint_of(const Simulation& simulation, const RunRecord& run);  ///< not within a step
/// A simulation that continues from there, bitwise identically if its engine is deterministic (EngineEntry::repeats()).
/// Throws as Simulation does, and as engine() if that engine is not available.
Simulation resume(Checkpoint checkpoint);

/// Writes completely or not at all: to a temporary file next to `path`, flushed to disk, then renamed, so that at any
/// moment either the old or the new checkpoint exists. Incomplete files left next to `path` by killed processes are
/// removed. Throws Error{kEnvironment} naming the path.
void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);
/// Throws Error{kUsage}: not a checkpoint, a truncated or modified one, or one that holds only a scene.
Checkpoint read_run(const std::filesystem::path& path);
/// Throws Error{kEnvironment} if checkpoints are not available: a build without HDF5.
void require_checkpoints();

/// Calls f(name, value) for each setting of an engine that a checkpoint stores. A test counts them.
template <class Config, class F>
void for_each_setting(Config& config, F f) {
    f("engine", config.engine);
    f("backend", config.backend);
    f("precision", config.precision);
    f("tile_p", config.tile.p), f("tile_u", config.tile.u), f("tile_q", config.tile.q), f("tile_k", config.tile.k);
    f("map", config.map), f("root", config.root), f("map3", config.map3), f("rows", config.rows);
    f("equal_masses", config.equal_masses), f("deterministic", config.deterministic);
    f("accuracy", config.tree.accuracy), f("alpha", config.tree.alpha), f("theta", config.tree.theta);
    f("order", config.tree.order), f("leaf", config.tree.leaf), f("group", config.tree.group);
    f("threads", config.threads), f("compensated", config.compensated), f("background", config.background);
}

}  // namespace orrery
