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

/// All maps, those that take a root with each root: what a survey over the maps goes through.
std::vector<MapChoice> every_map_and_root();
/// The same of triples of tiles.
std::vector<MapChoice> every_map3_and_root();

/// `config` once per map and root when the engine walks a map, else as it is.
std::vector<EngineConfig> with_every_map(const EngineEntry& entry, const EngineConfig& config);

/// Whether the engine that is configured walks a map of pairs of tiles.
bool walks_pairs(const EngineConfig& config);

// The ids that matter to the engine that is configured; empty where it walks no map, or the map takes no root.
std::string map_in_force(const EngineConfig& config);
std::string root_in_force(const EngineConfig& config);

}  // namespace orrery
