// SPDX-License-Identifier: MIT
#pragma once
// What engines and body systems on devices do alike when ranks share their work.
#include <cstdint>
#include <vector>

#include "core/base/vec.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/ranks/device_ranks.hpp"
#include "core/ranks/ranks.hpp"

namespace orrery::cuda {

/// Each rank has the accelerations of its part of `things`, which are of `each` consecutive bodies; afterwards all have
/// all of them.
template <class Real>
void gather_accelerations(Ranks& ranks, Vec4<Real>* acceleration, std::uint64_t count, std::uint64_t things,
                          std::uint64_t each, DeviceRanks::Stream stream) {
    std::vector<std::size_t> ends = ends_of_parts(ranks, things, each, count);
    for (std::size_t& end : ends) end *= sizeof(Vec4<Real>);
    device_ranks(ranks).gather(reinterpret_cast<std::byte*>(acceleration), ends, stream);
}

/// Leaves what the first rank has there with all.
template <class T>
void take_of_first(Ranks& ranks, DeviceBuffer<T>& buffer, DeviceRanks::Stream stream) {
    device_ranks(ranks).broadcast(reinterpret_cast<std::byte*>(buffer.data()), buffer.size() * sizeof(T), 0, stream);
}

/// Sums of vectors over the ranks: each rank gets those of its part of the bodies.
template <class Real>
void sum_own_part(Ranks& ranks, Vec4<Real>* sums, std::uint64_t count, DeviceRanks::Stream stream) {
    constexpr auto kType = sizeof(Real) == 4 ? DeviceNumbers::Type::kFloat : DeviceNumbers::Type::kDouble;
    device_ranks(ranks).sum_parts({sums, 4 * count, kType}, ends_of_parts(ranks, count, 4, 4 * count), stream);
}

/// An interval of the blocks of a map's grid for this rank, so that each has nearly as many of the `useful` blocks. The
/// interval is of consecutive ω of a map without waste; of others, a sample of the blocks is looked at, on the host.
template <class Map, class Grid>
RankPart part_of_grid(const Map& map, const Grid& grid, std::uint32_t side, std::uint64_t useful_blocks,
                      const Ranks& ranks) {
    const std::uint64_t blocks = grid.count();
    if (blocks == useful_blocks) return part_of(blocks, &ranks);
    constexpr std::uint64_t kSamples = 100'003;  // a prime: rows of the grid are not met in step
    const std::uint64_t samples = blocks < kSamples ? blocks : kSamples;
    const auto place = [&](std::uint64_t i) {
        return static_cast<std::uint64_t>(static_cast<double>(blocks) / static_cast<double>(samples) *
                                          static_cast<double>(i));
    };
    std::vector<std::uint64_t> found{0};  // useful ones among the first i samples
    for (std::uint64_t i = 0; i < samples; ++i)
        found.push_back(found.back() + useful(map(block_at(grid, place(i)), side), side));
    const auto begin = [&](std::uint64_t rank) {
        if (rank == 0) return std::uint64_t{0};
        const std::uint64_t before = part_of(found.back(), rank, static_cast<std::uint64_t>(ranks.count())).first;
        std::uint64_t i = 0;
        while (found[i] < before) ++i;
        return place(i);
    };
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    return {begin(rank), rank + 1 == static_cast<std::uint64_t>(ranks.count()) ? blocks : begin(rank + 1)};
}

}  // namespace orrery::cuda
