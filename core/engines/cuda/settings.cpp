// SPDX-License-Identifier: MIT
#include "core/engines/cuda/settings.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/cuda/tree/data.cuh"
#include "core/maps/maps.hpp"

namespace orrery::cuda {

void refuse_block(const TileConfig& tile, int most_threads) {
    usage_error(fmt::format("tile p · q = {} · {}: with k {} and u {} a block has at most {} threads on this device",
                            tile.p, tile.q, tile.k, tile.u, most_threads));
}

std::string describe_jerk_rows(unsigned rows, unsigned splits) {
    return fmt::format("with jerks: {} rows a block, {} column split{}", rows, splits, splits == 1 ? "" : "s");
}

std::string describe_half(const EngineConfig& config, int tile_size, std::uint64_t tiles, unsigned strip,
                          unsigned copies) {
    return fmt::format("map {}{}{}, ρ {}, {} × {} tiles{}, {}", config.map, config.root.empty() ? "" : " · ",
                       config.root, tile_size, tiles, tiles, strip > 1 ? fmt::format(", {} per block", strip) : "",
                       config.deterministic ? "sums in fixed point" : fmt::format("{} sums", copies));
}

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

void require_cells(std::uint64_t cells) {
    if (cells > kMostTreeCells)
        environment_error(fmt::format("a tree of {} cells exceeds the maximum of {}; larger leaves give fewer cells",
                                      cells, kMostTreeCells));
}

}  // namespace orrery::cuda
