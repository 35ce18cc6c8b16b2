// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "core/engines/menu.hpp"

namespace orrery {

EngineEntry cuda_tree_locks_engine();

namespace cuda {

/// The engine with room for `cells` cells at first, in place of its own guess: for tests of how it makes more room.
AnyEngine make_tree_locks(const EngineConfig& config, std::uint64_t cells);

/// θ of the configuration. Throws Error{kUsage} for knobs of trees that this one does not have.
double locks_theta(const TreeConfig& config);
/// Relative RMS error that checks accept of this θ.
double locks_tolerance(const EngineConfig& config);
std::string describe_locks(double theta);
/// Throws Error{kEnvironment} for more bodies or cells than its links can name.
void require_links(std::uint64_t bodies, std::uint64_t cells);

}  // namespace cuda
}  // namespace orrery
