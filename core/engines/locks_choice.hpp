// SPDX-License-Identifier: MIT
// Configuration and menu entry shared by the `tree-locks` engines of both backends.
#pragma once
#include <cstdint>
#include <string>

#include "core/engines/cuda/tree_locks/tree.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

/// The menu entry, without `make`.
EngineEntry tree_locks_entry(Backend backend);

namespace cuda {

/// θ or cut-off of the configuration. Throws Error{kUsage} for tree settings that this engine does not have.
LocksOpening locks_opening(const TreeConfig& config);
/// Relative RMS error that checks accept for this θ; infinite with a cut-off, whose error depends on the scene.
double locks_tolerance(const EngineConfig& config);
std::string describe_locks(const LocksOpening& opening);
/// Throws Error{kEnvironment} if there are more bodies or cells than its links can index.
void require_links(std::uint64_t bodies, std::uint64_t cells);

}  // namespace cuda

namespace cuda {

/// The engine with initial room for `cells` cells instead of its own estimate; for tests of growth.
AnyEngine make_tree_locks(const EngineConfig& config, std::uint64_t cells);

}  // namespace cuda

}  // namespace orrery
