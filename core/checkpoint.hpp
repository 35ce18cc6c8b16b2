// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/bodies/bodies.hpp"
#include "core/diagnostics/diagnostics.hpp"
#include "core/simulation.hpp"
#include "core/snapshot.hpp"

namespace orrery {

/// Where a run is going and where it comes from, for who goes on with it.
struct RunRecord {
    std::uint64_t steps = 0;           ///< of the whole run, from its beginning
    std::optional<double> until;       ///< or it ends at this time; steps is then 0
    std::optional<Diagnostics> first;  ///< at its beginning: what a drift is measured against
};

/// All that the steps to come depend on. In a file: the HDF5 part of a checkpoint that holds a scene (see
/// core/formats/hdf5_formats.hpp), its places, velocities and accelerations in the precision of the engine and in its
/// order, and groups of attributes: simulation, engine, run.
struct Checkpoint {
    Scene scene;  ///< as it is now, integrator and dt included; from checkpoint_of() without places and velocities
    Snapshot state;
    bool reversed = false;
    RunRecord run;
};

Checkpoint checkpoint_of(const Simulation& simulation, const RunRecord& run);  ///< not within a step
/// A simulation that goes on from there: to the bit, where its engine repeats itself (EngineEntry::repeats()). Throws
/// as Simulation does, and as engine() where that engine is not here.
Simulation resume(Checkpoint checkpoint);

/// Writes whole or not at all: beside `path`, to the disk, then renamed, so that at any moment an older one is there
/// or the new one. What killed processes left half written beside `path` is removed. Throws Error{kEnvironment} naming
/// the path.
void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);
/// Throws Error{kUsage}: no checkpoint, one that was cut or changed, or one of a scene alone.
Checkpoint read_run(const std::filesystem::path& path);
/// Throws Error{kEnvironment} where checkpoints cannot be had: a build without HDF5.
void require_checkpoints();

}  // namespace orrery
