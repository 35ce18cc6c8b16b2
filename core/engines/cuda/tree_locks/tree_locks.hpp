// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "core/engines/menu.hpp"

namespace orrery {

EngineEntry cuda_tree_locks_engine();

namespace cuda {

/// The engine with initial room for `cells` cells instead of its own estimate: for tests of how it grows.
AnyEngine make_tree_locks(const EngineConfig& config, std::uint64_t cells);

/// θ of the configuration. Throws Error{kUsage} for tree settings that this engine does not have.
double locks_theta(const TreeConfig& config);
/// Relative RMS error that checks accept for this θ.
double locks_tolerance(const EngineConfig& config);
std::string describe_locks(double theta);
/// Throws Error{kEnvironment} for more bodies or cells than its links can index.
void require_links(std::uint64_t bodies, std::uint64_t cells);

}  // namespace cuda
}  // namespace orrery
