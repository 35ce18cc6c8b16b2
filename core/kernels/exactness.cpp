// SPDX-License-Identifier: MIT
#include "core/kernels/exactness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace orrery {
namespace {

/// Blocks that are evaluated at once.
constexpr std::uint64_t kBlocksAtOnce = 1 << 18;
constexpr std::uint32_t kEveryRow = 64;  ///< numbers of rows up to which each is evaluated

/// "1 of 3 tiles missing, 1 twice, 0 blocks outside, first wrong tile (1, 0)"
std::string counted_tiles(const MapExactness& found) {
    std::string text = fmt::format("{} of {} tiles missing, {} twice, {} of {} blocks outside", found.missing,
                                   triangular(found.rows), found.twice, found.outside, found.launched);
    if (found.first) text += fmt::format(", first wrong tile ({}, {})", found.first->row, found.first->col);
    return text;
}

}  // namespace

MapExactness exactness_of(const EvaluatedMap& map, std::uint32_t rows) {
    const Grid grid = map.grid(rows);
    const std::uint64_t most = 4 * std::uint64_t{rows} * rows + 1024;
    if (grid.x == 0 || grid.y == 0 || grid.x > most || grid.y > most || grid.count() > most)
        usage_error(fmt::format("a grid of {} × {} blocks for {} rows of tiles; there are at most {}", grid.x, grid.y,
                                rows, most));
    MapExactness found{.rows = rows, .launched = grid.count()};
    std::vector<std::uint8_t> taken(triangular(rows));
    std::vector<Tile> tiles(std::min(kBlocksAtOnce, grid.count()));
    for (std::uint64_t first = 0; first < grid.count(); first += kBlocksAtOnce) {
        const std::uint64_t last = std::min(first + kBlocksAtOnce, grid.count());
        map.tiles(rows, first, last, tiles.data());
        for (std::uint64_t i = 0; i < last - first; ++i) {
            if (!useful(tiles[i], rows)) {
                ++found.outside;
                continue;
            }
            std::uint8_t& times = taken[triangular(tiles[i].row) + tiles[i].col];
            times = static_cast<std::uint8_t>(std::min(times + 1, 2));
        }
    }
    std::uint64_t at = 0;
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t col = 0; col <= row; ++col, ++at) {
            if (taken[at] == 1) continue;
            ++(taken[at] == 0 ? found.missing : found.twice);
            if (!found.first) found.first = Tile{row, col};
        }
    return found;
}

MapVerdict judge_map(const EvaluatedMap& map, std::uint32_t most, const std::function<bool()>& stop) {
    MapVerdict verdict;
    const auto evaluate = [&](std::uint32_t rows) -> const MapExactness& {
        return verdict.samples.emplace_back(exactness_of(map, rows));
    };
    std::uint32_t exact = 0;
    for (std::uint32_t rows = 1; rows <= most && !(stop && stop());) {
        verdict.last = evaluate(rows);
        verdict.tested = rows;
        if (!verdict.last.exact()) {
            verdict.first_wrong = verdict.last;
            break;
        }
        exact = rows;
        if (rows == most) break;
        // An odd number of rows between powers of two, because maps fail where only some cases are treated.
        const std::uint32_t next = rows < kEveryRow ? rows + 1 : rows + rows / 3 + (rows % 2 == 0 ? 1 : 0);
        rows = std::min(next, most);
    }
    while (verdict.first_wrong && verdict.first_wrong->rows > exact + 1 && !(stop && stop())) {
        const MapExactness middle = evaluate(exact + (verdict.first_wrong->rows - exact) / 2);
        if (middle.exact())
            exact = middle.rows;
        else
            verdict.first_wrong = middle;
    }
    std::ranges::sort(verdict.samples, {}, &MapExactness::rows);
    return verdict;
}

std::string describe(const MapVerdict& verdict) {
    if (verdict.first_wrong)
        return fmt::format("wrong at {} rows of tiles: {}", verdict.first_wrong->rows,
                           counted_tiles(*verdict.first_wrong));
    return fmt::format("exact up to {} rows of tiles, {} of {} blocks outside", verdict.tested, verdict.last.outside,
                       verdict.last.launched);
}

void require_exact(const EvaluatedMap& map, const std::string& name, std::uint32_t rows) {
    const MapExactness found = exactness_of(map, rows);
    if (!found.exact())
        usage_error(fmt::format("map {} is wrong at {} rows of tiles: {}", name, rows, counted_tiles(found)));
}

}  // namespace orrery
