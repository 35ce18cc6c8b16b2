// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/engines/menu.hpp"

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

}  // namespace orrery
