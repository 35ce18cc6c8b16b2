// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/menu.hpp"

namespace orrery {

EngineEntry cuda_triplet_engine();

namespace cuda {

/// Throws Error{kUsage} unless the map is one of triples, the root is in the menu, and ρ is 0 or 32.
void check_triplet(const EngineConfig& config);
/// Throws Error{kUsage} if there are more tiles than the maps support.
void check_triplet_tiles(std::uint64_t bodies);
std::string describe_triplet(const EngineConfig& config, std::uint32_t tiles);

}  // namespace cuda
}  // namespace orrery
