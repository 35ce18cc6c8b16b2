// SPDX-License-Identifier: MIT
#pragma once
// Iteration over the cells of a tree, whose number is known only on the device.
#include <algorithm>
#include <limits>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree/data.cuh"

namespace orrery::cuda {

constexpr unsigned kBlock = 256;
constexpr unsigned kOctet = 8;  // lanes that share a cell: one per octant

/// Lane mask of this thread's octet, for shuffles and ballots.
__device__ inline unsigned octet_mask() { return 0xffu << (threadIdx.x % 32 / kOctet * kOctet); }
template <class T>
__device__ T octet_sum(T x) {
    for (unsigned step = 1; step < kOctet; step *= 2) x += __shfl_xor_sync(octet_mask(), x, step);
    return x;
}
template <class T>
__device__ T octet_min(T x) {
    for (unsigned step = 1; step < kOctet; step *= 2) x = min(x, __shfl_xor_sync(octet_mask(), x, step));
    return x;
}

/// True if this block is the last of its grid to call this; it then sees everything that the others wrote before their
/// call. All threads of all blocks must call it once; `tickets` is 0 before and afterwards.
__device__ inline bool last_of_grid(std::uint32_t* tickets) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) __threadfence();
    return last;
}

/// Bodies in curve order are divided into chunks; one block per chunk counts and numbers the cells that begin in it.
constexpr std::uint32_t kChunk = 1024;
/// Includes the end of the last body, where cells end too.
constexpr std::uint32_t chunks_of(std::uint32_t bodies) { return bodies / kChunk + 1; }

/// Position of cells, which are stored level by level, and along the curve within a level.
struct CellPlaces {
    const std::uint32_t* offsets;  ///< [level][chunk]: cells of the level that begin in earlier chunks
    std::uint32_t chunks;

    __device__ std::uint32_t before(const std::uint32_t* cells_of_level, int level, std::uint32_t chunk) const {
        return chunk < chunks ? offsets[std::uint64_t(level) * chunks + chunk] : cells_of_level[level];
    }
};

/// The deepest level, among those sorted by, at which two keys are in the same cell.
__device__ inline int shared_level(std::uint64_t a, std::uint64_t b, int sorted_levels) {
    const std::uint64_t differ = a ^ b;
    return differ == 0 ? sorted_levels : min(sorted_levels, (__clzll(static_cast<long long>(differ)) - 1) / 3);
}

/// The deepest level at which the cell of a key is a border cell; -1 if none is.
__device__ inline int border_level(const DomainBorders& borders, std::uint64_t key, int sorted_levels) {
    return max(borders.has_before ? shared_level(key, borders.before, sorted_levels) : -1,
               borders.has_after ? shared_level(key, borders.after, sorted_levels) : -1);
}

template <class T>
__device__ T warp_min(T x) {
    for (unsigned step = 16; step > 0; step /= 2) x = min(x, __shfl_xor_sync(~0u, x, step));
    return x;
}
template <class T>
__device__ T warp_sum(T x) {
    for (unsigned step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
    return x;
}

/// Exclusive prefix sum over the lanes of a whole warp; `total`: the sum of all.
template <class T>
__device__ T warp_scan(T x, T& total) {
    const unsigned lane = threadIdx.x % 32;
    T sum = x;
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
        const T left = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += left;
    }
    total = __shfl_sync(~0u, sum, 31);
    return sum - x;
}

/// Returns, in each lane of a whole warp, the first cell of the level with the lane's number; `total`: cells of all
/// levels.
__device__ inline std::uint32_t level_begin(const std::uint32_t* cells_of_level, std::uint32_t& total) {
    const unsigned lane = threadIdx.x % 32;
    return warp_scan(lane < unsigned{kTreeLevels} ? cells_of_level[lane] : 0u, total);
}

template <class Real>
struct Corners {
    Vec3<Real> low, high;

    __device__ void enclose(const Corners& other) {
        low = {min(low.x, other.low.x), min(low.y, other.low.y), min(low.z, other.low.z)};
        high = {max(high.x, other.high.x), max(high.y, other.high.y), max(high.z, other.high.z)};
    }
};
template <class Real>
__device__ Corners<Real> nowhere() {
    const Real far = std::numeric_limits<Real>::max();
    return {{far, far, far}, {-far, -far, -far}};
}

/// Launch shape for a loop over up to `most` elements, whose number is known only on the device.
inline Shape threads_for(std::uint64_t most, std::uint64_t blocks = 2048) {
    return {dim3(static_cast<unsigned>(std::clamp<std::uint64_t>((most + kBlock - 1) / kBlock, 1, blocks))),
            dim3(kBlock)};
}

}  // namespace orrery::cuda
