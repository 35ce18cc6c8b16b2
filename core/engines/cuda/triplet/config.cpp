// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engines/cuda/triplet/triplet.hpp"
#include "core/engines/map_choices.hpp"
#include "core/maps/maps.hpp"
#include "core/maps/maps3.hpp"

namespace orrery::cuda {

void check_triplet(const EngineConfig& config) {
    simplex3_map(config.map3), root(config.root);  // rejects unknown ids
    if (config.tile_size != 0 && config.tile_size != 32)
        usage_error(fmt::format("tile size {}: for triplets on a GPU it must be 32", config.tile_size));
}

void check_triplet_tiles(std::uint64_t bodies) {
    if (bodies > std::uint64_t{kMostLayers} * 32)
        usage_error(
            fmt::format("engine triplet supports up to {} bodies, not {}", std::uint64_t{kMostLayers} * 32, bodies));
}

std::string describe_triplet(const EngineConfig& config, std::uint32_t tiles) {
    const Map3Entry& map = simplex3_map(config.map3);
    return fmt::format("map {}{}{}, ρ 32, {}³ tiles", map.id, map.takes_root ? " · " : "",
                       map.takes_root ? root(config.root).id : "", tiles);
}

}  // namespace orrery::cuda
