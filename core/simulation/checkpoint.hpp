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

// Checkpoints of ranks that each hold only their own bodies: an ordinary checkpoint per rank, and an index, a short
// text under the name that the user chose.

/// The index of a set.
struct CheckpointSet {
    std::filesystem::path path;  ///< of the index
    int ranks = 0;
    std::int64_t steps = 0;

    /// The checkpoint of one rank, next to the index: "run.step1200.rank0of2.orrery" for "run.orrery".
    std::filesystem::path part(int rank) const;
};

/// Writes this rank's bodies; rank 0 replaces the index once all ranks have written theirs, so that either the old or
/// the new set is complete at any moment, and then removes the old one. All ranks need the same folder. Collective:
/// throws Error{kEnvironment} on all ranks if one cannot write.
void write_checkpoint_set(Ranks& ranks, const Checkpoint& checkpoint, const std::filesystem::path& path);

/// The index in this file; empty if it is another file. Throws Error{kUsage} if the file cannot be read.
std::optional<CheckpointSet> read_checkpoint_set(const std::filesystem::path& path);

/// All bodies of the set, by ascending id, as one checkpoint for a single process; what follows differs from the run of
/// several ranks in rounding. Throws as read_run(), and Error{kUsage} if the parts are not of the same step.
Checkpoint joined(const CheckpointSet& set);

}  // namespace orrery
