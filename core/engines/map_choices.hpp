// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/engines/menu.hpp"

namespace orrery {

/// A map with a root, or with none where it takes none.
struct MapChoice {
    std::string_view map, root;
};

/// All maps, those that take a root with each root, for surveys over the maps.
std::vector<MapChoice> every_map_and_root();
/// The same of triples of tiles.
std::vector<MapChoice> every_map3_and_root();

/// `config` once per map and root if the engine uses a map, otherwise unchanged.
std::vector<EngineConfig> with_every_map(const EngineEntry& entry, const EngineConfig& config);

/// Whether the configured engine uses a map of pairs of tiles.
bool walks_pairs(const EngineConfig& config);

// The ids used by the configured engine; empty if it uses no map, or the map takes no root.
std::string map_in_force(const EngineConfig& config);
std::string root_in_force(const EngineConfig& config);

}  // namespace orrery
