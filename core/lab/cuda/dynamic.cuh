// SPDX-License-Identifier: MIT
// Kernels with a block per tile, and dynamic parallelism: a triangle launches its halves from the device. The latter is
// in a separate file, because it is compiled and linked with the device runtime.
#pragma once
#include <cstdint>

#include "core/cuda/launch.cuh"
#include "core/lab/launch_variants.hpp"

namespace orrery::lab {

/// Calls work(tile) with one block per tile. An idle block returns before it computes any thread coordinate.
template <class Find, class TileWork>
__global__ void __launch_bounds__(1024) tiles_in_blocks(Find find, TileWork work, std::uint32_t rows) {
    __builtin_assume(rows <= kNarrowRows);  // 32-bit indices, no branch for larger ones
    const Tile tile = find(GridPosition{blockIdx.x, blockIdx.y, blockIdx.z}, rows);
    if (!find.idles(tile, rows)) work(tile);
}

/// Calls the work of a strip for each run of the block.
template <class Find, class TileWork>
__global__ void __launch_bounds__(1024) strips_in_blocks(Find find, TileWork work, std::uint32_t rows) {
    __builtin_assume(rows <= kNarrowRows);
    find.runs(GridPosition{blockIdx.x, blockIdx.y, blockIdx.z}, rows, work.in_strip());
}

/// The pairs j ≤ i of a tile, one per thread of a block of ρ × ρ. Threads of a block diverge only on the diagonal and
/// in the last row. ρ is 2^kLogRho, or 2^log_rho if kLogRho is 0: in nearly empty blocks even a shift counts.
template <unsigned kLogRho, class Work>
struct PairsOfTile {
    Work work;
    std::uint32_t bodies, log_rho;
    __device__ void operator()(Tile tile) const {
        const std::uint32_t shift = kLogRho > 0 ? kLogRho : log_rho;
        const std::uint32_t i = (tile.row << shift) + threadIdx.y, j = (tile.col << shift) + threadIdx.x;
        if (j <= i && i < bodies) work(i, j);
    }

    /// The pairs of a run: each thread has its column of every tile, and the row's body stays in registers.
    struct Strip {
        const PairsOfTile& pairs;
        __device__ void operator()(TileRun run) const {
            const std::uint32_t shift = kLogRho > 0 ? kLogRho : pairs.log_rho;
            const std::uint32_t i = (run.row << shift) + threadIdx.y;
            if (i >= pairs.bodies) return;
            const auto own = pairs.work.row(i);
            for (std::uint32_t col = run.first; col < run.first + run.count; ++col)
                if (const std::uint32_t j = (col << shift) + threadIdx.x; j <= i) pairs.work.in_row(own, i, j);
        }
    };
    __device__ Strip in_strip() const { return {*this}; }
};

/// PairsOfTile for long strips of a work that has in_run(), which processes a run as a whole. It is a kernel of its
/// own, because its registers would leave shorter strips with fewer blocks at a time.
template <class Work>
struct LongStripsOfPairs {
    PairsOfTile<0, Work> pairs;
    struct Strip {
        const PairsOfTile<0, Work>& pairs;
        __device__ void operator()(TileRun run) const {
            if (run.count << pairs.log_rho >= Work::kLeastRun)
                pairs.work.in_run(run, pairs.log_rho, pairs.bodies);
            else
                pairs.in_strip()(run);
        }
    };
    __device__ Strip in_strip() const { return {pairs}; }
};

/// A strip of a kind of tile that fills shared memory: all threads have read a tile before the next one is loaded.
template <class TileWork>
struct BarrierStrip {
    TileWork work;
    __device__ void operator()(TileRun run) const {
        for (std::uint32_t col = run.first; col < run.first + run.count; ++col) {
            __syncthreads();
            work(Tile{run.row, col});
        }
    }
};

/// Calls work(tile) with a block of `block` threads for every tile of the triangle; the host makes only the first
/// launch. Compiled in dynamic.cu for the types of work listed there.
template <class TileWork>
void launch_dynamic(dim3 block, std::uint32_t rows, cudaStream_t stream, const TileWork& work);

}  // namespace orrery::lab
