// SPDX-License-Identifier: MIT
#pragma once
// Going over the cells of a tree whose number only the device knows.
#include <algorithm>
#include <limits>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree_data.cuh"

namespace orrery::cuda {

constexpr unsigned kOctet = 8;  // lanes that share a cell: one per octant

/// Lanes of this thread's octet, for shuffles and ballots.
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

struct LevelSpan {
    std::uint32_t first, count;
};
/// Cells of a level lie together, level after level. What found no room is not counted.
template <class Real>
__device__ LevelSpan span_of(const TreeState<Real>& state, int level, std::uint32_t room) {
    std::uint32_t first = 0;
    for (int l = 0; l < level; ++l) first += state.cells_of_level[l];
    return {first, first < room ? min(state.cells_of_level[level], room - first) : 0};
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

constexpr unsigned kBlock = 256;
/// Threads for a loop over up to `most` cells; the device knows how many there are.
inline Shape threads_for(std::uint64_t most) {
    return {dim3(static_cast<unsigned>(std::clamp<std::uint64_t>((most + kBlock - 1) / kBlock, 1, 2048))),
            dim3(kBlock)};
}
inline Shape octets_for_level(int level, std::uint64_t room) {
    return threads_for(kOctet * (level < kKeyLevels ? std::min(room, std::uint64_t{1} << 3 * level) : room));
}

}  // namespace orrery::cuda
