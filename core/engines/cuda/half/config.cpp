// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/engines/cuda/half/half.hpp"

namespace orrery::cuda {

void check_rows(int rows) {
    static constexpr std::array sides{0, 32, 64, 128, 256, 384, 512, 768, 1024};
    if (std::ranges::find(sides, rows) == sides.end())
        usage_error(fmt::format("tile side {}: on a GPU it must be 32, 64, 128, 256, 384, 512, 768 or 1024", rows));
}

std::string describe_half(const EngineConfig& config, int rows, std::uint64_t tiles, unsigned copies) {
    return fmt::format("map {}{}{}, ρ {}, {} × {} tiles, {}", config.map, config.root.empty() ? "" : " · ", config.root,
                       rows, tiles, tiles,
                       config.deterministic ? "sums in fixed point" : fmt::format("{} sums", copies));
}

}  // namespace orrery::cuda
