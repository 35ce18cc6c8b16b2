// SPDX-License-Identifier: MIT
// What the engines `tree-locks` of both backends have in common.
#pragma once
#include <cstdint>
#include <string>

#include "core/engines/cuda/tree_locks/tree.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

/// Its line of the menu, without `make`.
EngineEntry tree_locks_entry(Backend backend);

namespace cuda {

/// θ or cut-off of the configuration. Throws Error{kUsage} for tree settings that this engine does not have.
LocksOpening locks_opening(const TreeConfig& config);
/// Relative RMS error that checks accept for this θ; with a cut-off any, since it depends on the scene.
double locks_tolerance(const EngineConfig& config);
std::string describe_locks(const LocksOpening& opening);
/// Throws Error{kEnvironment} for more bodies or cells than its links can index.
void require_links(std::uint64_t bodies, std::uint64_t cells);

}  // namespace cuda
}  // namespace orrery
