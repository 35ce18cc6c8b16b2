// SPDX-License-Identifier: MIT
#include "core/engines/tile_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/error.hpp"

namespace orrery {

void check_tile(const TileConfig& tile) {
    const auto one_of = [](int value, std::initializer_list<int> choices) {
        return value == 0 || std::ranges::find(choices, value) != choices.end();
    };
    if (tile.p != 0 && (tile.p < 32 || tile.p > 1024 || tile.p % 32 != 0))
        usage_error(fmt::format("tile p = {}: must be a multiple of 32 from 32 to 1024", tile.p));
    if (!one_of(tile.u, {1, 2, 4, 8, 16, 32}))
        usage_error(fmt::format("tile u = {}: must be 1, 2, 4, 8, 16 or 32", tile.u));
    if (!one_of(tile.q, {1, 2, 4, 8})) usage_error(fmt::format("tile q = {}: must be 1, 2, 4 or 8", tile.q));
    if (!one_of(tile.k, {1, 2, 4, 8})) usage_error(fmt::format("tile k = {}: must be 1, 2, 4 or 8", tile.k));
    if (!one_of(tile.s, {1, 2, 4, 8, 16, 32, 64}))
        usage_error(fmt::format("tile s = {}: must be 1, 2, 4, 8, 16, 32 or 64", tile.s));
    if (tile.p * tile.q > 1024)
        usage_error(fmt::format("tile p · q = {} · {}: a block has at most 1024 threads", tile.p, tile.q));
}

std::string describe_tile(const TileConfig& tile, unsigned splits) {
    return fmt::format("p {} · u {} · q {} · k {}, {} column split{}", tile.p, tile.u, tile.q, tile.k, splits,
                       splits == 1 ? "" : "s");
}

void check_strip(int strip) {
    static constexpr std::array strips{0, 1, 2, 4, 8, 16, 32, 64};
    if (std::ranges::find(strips, strip) == strips.end())
        usage_error(fmt::format("strip {}: must be 1, 2, 4, 8, 16, 32 or 64 tiles per block", strip));
}

void check_tile_size(int tile_size) {
    static constexpr std::array sides{0, 32, 64, 128, 256, 384, 512, 768, 1024};
    if (std::ranges::find(sides, tile_size) == sides.end())
        usage_error(
            fmt::format("tile size {}: on a GPU it must be 32, 64, 128, 256, 384, 512, 768 or 1024", tile_size));
}

}  // namespace orrery
