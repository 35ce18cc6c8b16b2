// SPDX-License-Identifier: MIT
// Checkpoints of ranks that each hold only their own bodies: an ordinary checkpoint per rank, and an index, a short
// text under the name that the user chose.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/simulation/checkpoint.hpp"

namespace orrery {

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
