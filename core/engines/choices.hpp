// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/engines/menu.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// A map and its root; `root` is empty if the map takes none.
struct MapChoice {
    std::string_view map, root;
};

/// All maps, combined with each root if they take one; for surveys over the maps.
std::vector<MapChoice> every_map_and_root();
/// The same for maps of triples of tiles.
std::vector<MapChoice> every_map3_and_root();

/// `config` once for each map and root if the engine uses a map, otherwise `config` alone.
std::vector<EngineConfig> with_every_map(const EngineEntry& entry, const EngineConfig& config);

/// True if the configured engine uses a map of pairs of tiles.
bool walks_pairs(const EngineConfig& config);

// The ids that the configured engine uses; empty if it uses no map, or the map takes no root.
std::string map_in_force(const EngineConfig& config);
std::string root_in_force(const EngineConfig& config);

/// The engine that runs a kernel by default: `kernel`, or `half` for a thread map, on the backend of its language.
const EngineEntry& engine_of(const KernelFile& file);
/// True if this engine runs kernels of this kind and language.
bool runs(const EngineEntry& entry, const KernelFile& file);
/// The title of the kernel that this configuration runs; empty: none.
std::string kernel_in_force(const EngineConfig& config);
/// True if it runs a kernel with its own law, whose energy is unknown: that of the scene's law is not conserved.
bool has_own_law(const EngineConfig& config);
/// Throws Error{kUsage} if `config` has a kernel that its engine reads but does not run, or that is not a kernel file.
/// Engines without kernels ignore it, and `half` ignores a force.
void require_kernel_runs(const EngineEntry& entry, const EngineConfig& config);

}  // namespace orrery
