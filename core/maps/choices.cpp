// SPDX-License-Identifier: MIT
#include "core/maps/choices.hpp"

#include <algorithm>

#include "core/maps/maps.hpp"

namespace orrery {
namespace {

bool walks_a_map(const EngineConfig& config) {
    return std::ranges::any_of(engines(), [&](const EngineEntry& entry) {
        return entry.id == config.engine && entry.backend == config.backend && entry.maps;
    });
}

}  // namespace

std::vector<MapChoice> every_map_and_root() {
    std::vector<MapChoice> all;
    for (const MapEntry& map : maps()) {
        if (!map.takes_root) all.push_back({map.id, ""});
        for (const RootEntry& root : roots())
            if (map.takes_root) all.push_back({map.id, root.id});
    }
    return all;
}

std::vector<EngineConfig> with_every_map(const EngineEntry& entry, const EngineConfig& config) {
    if (!entry.maps) return {config};
    std::vector<EngineConfig> all;
    for (const MapChoice& choice : every_map_and_root()) {
        EngineConfig each = config;
        each.map = choice.map;
        if (!choice.root.empty()) each.root = choice.root;
        all.push_back(each);
    }
    return all;
}

std::string map_in_force(const EngineConfig& config) { return walks_a_map(config) ? config.map : std::string{}; }

std::string root_in_force(const EngineConfig& config) {
    return walks_a_map(config) && map(config.map).takes_root ? config.root : std::string{};
}

}  // namespace orrery
