// SPDX-License-Identifier: MIT
// Dynamic parallelism: a triangle launches its halves from the device. In a separate file, because it is compiled and
// linked with the device runtime.
#pragma once
#include <cstdint>

#include "core/cuda/launch.cuh"
#include "core/maps/map.hpp"

namespace orrery::lab {

/// The pairs j ≤ i of a tile, one per thread of a block of ρ × ρ.
template <class Work>
struct PairsOfTile {
    Work work;
    std::uint32_t bodies;
    __device__ void operator()(Tile tile) const {
        const std::uint32_t i = tile.row * blockDim.y + threadIdx.y, j = tile.col * blockDim.x + threadIdx.x;
        if (j <= i && i < bodies) work(i, j);
    }
};

/// work(tile) by a block for every tile of the triangle; only the first launch is made by the host. Compiled in
/// dynamic.cu for the works listed there.
template <class TileWork>
void launch_dynamic(std::uint32_t rho, std::uint32_t rows, cudaStream_t stream, const TileWork& work);

}  // namespace orrery::lab
