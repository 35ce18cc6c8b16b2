// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/engines/cuda/half/half.hpp"

namespace orrery::cuda {

void check_tile_size(int tile_size) {
    static constexpr std::array sides{0, 32, 64, 128, 256, 384, 512, 768, 1024};
    if (std::ranges::find(sides, tile_size) == sides.end())
        usage_error(
            fmt::format("tile size {}: on a GPU it must be 32, 64, 128, 256, 384, 512, 768 or 1024", tile_size));
}

std::string describe_half(const EngineConfig& config, int tile_size, std::uint64_t tiles, unsigned copies) {
    return fmt::format("map {}{}{}, ρ {}, {} × {} tiles, {}", config.map, config.root.empty() ? "" : " · ", config.root,
                       tile_size, tiles, tiles,
                       config.deterministic ? "sums in fixed point" : fmt::format("{} sums", copies));
}

}  // namespace orrery::cuda
