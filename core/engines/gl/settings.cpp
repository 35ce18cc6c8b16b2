// SPDX-License-Identifier: MIT
#include "core/engines/gl/settings.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/gl/device.hpp"

namespace orrery::gl {

void require_group(const TileConfig& tile, std::size_t bytes) {
    const Limits& limits = Device::get().limits();
    const int threads = tile.p * tile.q;
    if (threads > limits.threads)
        usage_error(fmt::format("tile p · q = {} · {}: a block has at most {} threads on this device", tile.p, tile.q,
                                limits.threads));
    if (static_cast<std::size_t>(threads) * bytes > limits.shared_bytes)
        usage_error(fmt::format("tile p · q = {} · {}: the tile exceeds the {} bytes of shared memory on this device",
                                tile.p, tile.q, limits.shared_bytes));
}

std::string describe_half(const EngineConfig& config, int tile_size, std::uint64_t tiles, std::uint64_t windows,
                          bool shuffles) {
    return fmt::format("map {}{}{}, ρ {}, {} × {} tiles, reactions by {}, split sums added in {} part{}", config.map,
                       config.root.empty() ? "" : " · ", config.root, tile_size, tiles, tiles,
                       shuffles ? "shuffles" : "shared memory", windows, windows == 1 ? "" : "s");
}

}  // namespace orrery::gl
