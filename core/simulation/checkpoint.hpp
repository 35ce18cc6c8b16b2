// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/analysis/diagnostics.hpp"
#include "core/bodies/bodies.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// Start and end of a run, for resuming it.
struct RunRecord {
    std::uint64_t steps = 0;           ///< total steps of the run since its start
    std::optional<double> until;       ///< or its end time; steps is then 0
    std::optional<Diagnostics> first;  ///< at the start: the reference for the drift
};

/// Everything that determines the following steps. In a file: the HDF5 part of a checkpoint that stores a scene (see
/// core/formats/hdf5_formats.hpp); positions, velocities and accelerations in the engine's precision and order; and
/// groups of attributes: simulation, engine, run.
struct Checkpoint {
    Scene
        scene;  ///< the current scene with integrator and dt; without positions and velocities if from checkpoint_of()
    Snapshot state;
    bool reversed = false;
    RunRecord run;
};

Checkpoint checkpoint_of(const Simulation& simulation, const RunRecord& run);  ///< not within a step
/// A simulation that continues from the checkpoint, bitwise identically if its engine is deterministic
/// (EngineEntry::repeats()). Throws as Simulation does, and as engine() if that engine is not available.
Simulation resume(Checkpoint checkpoint, Ranks* ranks = nullptr);

/// Writes completely or not at all: to a temporary file next to `path`, flushed to disk, then renamed, so that either
/// the old or the new checkpoint exists at any moment. Removes incomplete files that killed processes left next to
/// `path`. Throws Error{kEnvironment} naming the path.
void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);
/// Throws Error{kUsage} if the file is not a checkpoint, is truncated or modified, or holds only a scene.
Checkpoint read_run(const std::filesystem::path& path);
/// Reads the file once. Throws Error{kUsage} if it is not a checkpoint, or is truncated or modified.
void check_checkpoint(const std::filesystem::path& path);
/// Throws Error{kEnvironment} in a build without HDF5.
void require_checkpoints();

}  // namespace orrery
