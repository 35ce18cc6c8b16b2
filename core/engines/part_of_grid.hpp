// SPDX-License-Identifier: MIT
// Load balancing of a thread map over ranks: cuts the launch grid into intervals with equal numbers of useful blocks.
#pragma once
#include <cstdint>
#include <vector>

#include "core/ranks/ranks.hpp"

namespace orrery {

/// The interval of a map's grid that one rank works on; every rank gets nearly the same number of the `useful` blocks.
/// Maps without wasted blocks are cut into equal intervals of ω; otherwise a sample of the blocks is evaluated on the
/// host.
template <class Map, class Grid>
RankPart part_of_grid(const Map& map, const Grid& grid, std::uint32_t side, std::uint64_t useful_blocks,
                      std::uint64_t rank, std::uint64_t ranks) {
    const std::uint64_t blocks = grid.count();
    if (blocks == useful_blocks) return part_of(blocks, rank, ranks);
    constexpr std::uint64_t kSamples = 100'003;  // a prime, so that samples do not fall on the same column of every row
    const std::uint64_t samples = blocks < kSamples ? blocks : kSamples;
    const auto place = [&](std::uint64_t i) {
        return static_cast<std::uint64_t>(static_cast<double>(blocks) / static_cast<double>(samples) *
                                          static_cast<double>(i));
    };
    std::vector<std::uint64_t> found{0};  // number of useful blocks among the first i samples
    for (std::uint64_t i = 0; i < samples; ++i)
        found.push_back(found.back() + useful(map(block_at(grid, place(i)), side), side));
    const auto begin = [&](std::uint64_t of) {
        if (of == 0) return std::uint64_t{0};
        const std::uint64_t before = part_of(found.back(), of, ranks).first;
        std::uint64_t i = 0;
        while (found[i] < before) ++i;
        return place(i);
    };
    return {begin(rank), rank + 1 == ranks ? blocks : begin(rank + 1)};
}

/// The part of this rank.
template <class Map, class Grid>
RankPart part_of_grid(const Map& map, const Grid& grid, std::uint32_t side, std::uint64_t useful_blocks,
                      const Ranks& ranks) {
    return part_of_grid(map, grid, side, useful_blocks, static_cast<std::uint64_t>(ranks.rank()),
                        static_cast<std::uint64_t>(ranks.count()));
}

}  // namespace orrery
