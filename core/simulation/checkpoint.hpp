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
Simulation resume(Checkpoint checkpoint, Ranks* ranks = nullptr);

/// Writes completely or not at all: to a temporary file next to `path`, flushed to disk, then renamed, so that at any
/// moment either the old or the new checkpoint exists. Incomplete files left next to `path` by killed processes are
/// removed. Throws Error{kEnvironment} naming the path.
void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);
/// Throws Error{kUsage}: not a checkpoint, a truncated or modified one, or one that holds only a scene.
Checkpoint read_run(const std::filesystem::path& path);
/// Reads it once. Throws Error{kUsage}: not a checkpoint, or a truncated or modified one.
void check_checkpoint(const std::filesystem::path& path);
/// Throws Error{kEnvironment} if checkpoints are not available: a build without HDF5.
void require_checkpoints();

}  // namespace orrery
