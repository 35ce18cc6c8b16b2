// SPDX-License-Identifier: MIT
// Least-significant-digit radix sort in a single cooperative kernel, with grid-wide barriers between its passes.
#include "core/engines/cuda/tree/cooperative_sort.cuh"

#include <cooperative_groups.h>

#include <cub/block/block_scan.cuh>

#include "core/engines/cuda/tree/tuning.hpp"

namespace orrery::cuda {
namespace {

constexpr unsigned kThreads = 1024, kWarps = kThreads / 32;

/// Two 16-bit numbers that are added as one.
using Pair = std::uint32_t;
static_assert(kCooperativeRounds * kThreads < 1u << 16);

template <class Real>
struct SortMemory {
    using Enclosing = cub::BlockReduce<Bounds<Real>, kThreads>;
    using Scanning = cub::BlockScan<std::uint32_t, kThreads>;
    union {
        typename Enclosing::TempStorage enclosing;
        typename Scanning::TempStorage scanning;
    };
    TreeUnits<Real> units;
    Pair counts[kWarps][kDigitPairs];                 // of a warp's bodies, later of those of preceding warps
    Pair parts[kThreads / kDigitPairs][kDigitPairs];  // the same of a group of warps
    std::uint32_t all[kDigits], place[kDigits];       // bodies of all blocks by digit; where this block's begin
};

/// The bodies of a block: consecutive, and so are those of each warp among them, so that a pass keeps the order of
/// equal digits (a stable sort).
struct Share {
    std::uint32_t first, rounds, count;

    __device__ std::uint32_t body(std::uint32_t round) const {
        return first + (threadIdx.x / 32 * rounds + round) * 32 + threadIdx.x % 32;
    }
};

template <class Real>
__device__ void make_units(const CooperativeSort<Real>& in, TreeState<Real>* state, const Share& share,
                           SortMemory<Real>& memory) {
    using Enclosing = typename SortMemory<Real>::Enclosing;
    Bounds<Real> own = Bounds<Real>::none();
    for (std::uint32_t r = 0; r < share.rounds; ++r)
        if (const std::uint32_t i = share.body(r); i < share.count)
            own = BoundsUnion{}(own, BoundsOf<Real>{}(in.gathering.bodies[i]));
    own = Enclosing{memory.enclosing}.Reduce(own, BoundsUnion{});
    if (threadIdx.x == 0) in.bounds[blockIdx.x] = own;
    cooperative_groups::this_grid().sync();
    own = threadIdx.x < gridDim.x ? in.bounds[threadIdx.x] : Bounds<Real>::none();
    own = Enclosing{memory.enclosing}.Reduce(own, BoundsUnion{});
    if (threadIdx.x == 0) {
        memory.units = units_for(own, in.softening);
        if (blockIdx.x == 0) state->units = memory.units, state->deeper = 0;
    }
    __syncthreads();
}

/// Counts this block's digits by warp, converts them to the counts of preceding warps, and writes the block's counts.
__device__ void count_digits(const std::uint64_t* keys, int shift, const Share& share, Pair* block_counts,
                             Pair (&counts)[kWarps][kDigitPairs], Pair (&parts)[kThreads / kDigitPairs][kDigitPairs]) {
    for (unsigned i = threadIdx.x; i < kWarps * kDigitPairs; i += kThreads)
        counts[i / kDigitPairs][i % kDigitPairs] = 0;
    __syncthreads();
    Pair* own = counts[threadIdx.x / 32];
    for (std::uint32_t r = 0; r < share.rounds; ++r) {
        const std::uint32_t i = share.body(r);
        if (i >= share.count) continue;
        const auto digit = static_cast<std::uint32_t>(keys[i] >> shift) % kDigits;
        atomicAdd(&own[digit / 2], digit % 2 == 0 ? 1u : 1u << 16);
    }
    __syncthreads();
    constexpr unsigned kParts = kThreads / kDigitPairs, kWarpsOfPart = kWarps / kParts;
    const unsigned pair = threadIdx.x % kDigitPairs, part = threadIdx.x / kDigitPairs;
    Pair sum = 0;
    for (unsigned w = part * kWarpsOfPart; w < (part + 1) * kWarpsOfPart; ++w) {
        const Pair here = counts[w][pair];
        counts[w][pair] = sum;
        sum += here;
    }
    parts[part][pair] = sum;
    __syncthreads();
    Pair earlier = 0, all = 0;
    for (unsigned p = 0; p < kParts; ++p) {
        earlier += p < part ? parts[p][pair] : 0;
        all += parts[p][pair];
    }
    for (unsigned w = part * kWarpsOfPart; w < (part + 1) * kWarpsOfPart; ++w) counts[w][pair] += earlier;
    if (part == 0) block_counts[blockIdx.x * kDigitPairs + pair] = all;
}

/// Computes where this block's bodies of each digit begin among all bodies.
template <class Real>
__device__ void place_digits(const Pair* block_counts, SortMemory<Real>& memory) {
    using Scanning = typename SortMemory<Real>::Scanning;
    if (threadIdx.x < kDigits) memory.all[threadIdx.x] = memory.place[threadIdx.x] = 0;
    __syncthreads();
    const unsigned pair = threadIdx.x % kDigitPairs;
    std::uint32_t all[2] = {0, 0}, earlier[2] = {0, 0};
    for (unsigned b = threadIdx.x / kDigitPairs; b < gridDim.x; b += kThreads / kDigitPairs) {
        const Pair count = block_counts[b * kDigitPairs + pair];
        all[0] += count & 0xffff, all[1] += count >> 16;
        if (b < blockIdx.x) earlier[0] += count & 0xffff, earlier[1] += count >> 16;
    }
    for (unsigned half = 0; half < 2; ++half) {
        atomicAdd(&memory.all[2 * pair + half], all[half]);
        atomicAdd(&memory.place[2 * pair + half], earlier[half]);
    }
    __syncthreads();
    std::uint32_t first = threadIdx.x < kDigits ? memory.all[threadIdx.x] : 0;
    Scanning{memory.scanning}.ExclusiveSum(first, first);
    if (threadIdx.x < kDigits) memory.place[threadIdx.x] += first;
    __syncthreads();
}

template <class Real>
__global__ void __launch_bounds__(kThreads, 1)
    cooperative_sort_bodies(const CooperativeSort<Real> in, TreeState<Real>* state) {
    __shared__ SortMemory<Real> memory;
    const auto grid = cooperative_groups::this_grid();
    const std::uint32_t count = in.gathering.count, rounds = (count - 1) / (gridDim.x * kThreads) + 1;
    const Share share{blockIdx.x * rounds * kThreads, rounds, count};
    make_units(in, state, share, memory);

    const int passes = in.levels / kDigitLevels;
    unsigned from = passes % 2 == 0 ? 1 : 0;  // so that the last pass writes to the second arrays
    for (std::uint32_t r = 0; r < rounds; ++r)
        if (const std::uint32_t i = share.body(r); i < count)
            in.keys[from][i] = key_of(memory.units.grid, xyz(in.gathering.bodies[i]), in.levels);
    for (int pass = 0; pass < passes; ++pass, from ^= 1) {
        const std::uint64_t* keys = in.keys[from];
        const int shift = 3 * (kKeyLevels - in.levels + kDigitLevels * pass);
        count_digits(keys, shift, share, in.counts, memory.counts, memory.parts);
        grid.sync();
        place_digits(in.counts, memory);
        auto* own = reinterpret_cast<std::uint16_t*>(memory.counts[threadIdx.x / 32]);
        const unsigned below = (1u << threadIdx.x % 32) - 1;
        for (std::uint32_t r = 0; r < rounds; ++r) {
            const std::uint32_t i = share.body(r);
            const bool here = i < count;
            const std::uint64_t key = here ? keys[i] : 0;
            const std::uint32_t digit = here ? static_cast<std::uint32_t>(key >> shift) % kDigits : kDigits;
            const unsigned alike = __match_any_sync(~0u, digit);
            __syncwarp();  // the previous round has updated its counts
            const std::uint32_t earlier = here ? own[digit] : 0;
            __syncwarp();
            if (!here) continue;
            if ((alike & below) == 0) own[digit] = static_cast<std::uint16_t>(earlier + __popc(alike));
            const std::uint32_t to = memory.place[digit] + earlier + static_cast<std::uint32_t>(__popc(alike & below));
            in.keys[from ^ 1][to] = key;
            in.bodies[from ^ 1][to] = pass == 0 ? i : in.bodies[from][i];
        }
        grid.sync();
    }
    gather_share<kThreads>(in.gathering, state, thread_index(), std::uint64_t{gridDim.x} * kThreads, count);
}

}  // namespace

unsigned cooperative_blocks(std::uint64_t count) {
    int device = 0, processors = 0, can = 0;
    check(cudaGetDevice(&device), "current device");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "device");
    check(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device), "device");
    const auto most = std::min(static_cast<unsigned>(processors), kMostCooperativeBlocks);
    if (can == 0 || count > std::uint64_t{most} * kThreads * kCooperativeRounds) return 0;
    return std::min(most, static_cast<unsigned>((count + kThreads - 1) / kThreads));
}

template <class Real>
void cooperative_sort(const CooperativeSort<Real>& in, TreeState<Real>* state, unsigned blocks, cudaStream_t stream) {
    launch_cooperative("cooperative_sort", {dim3(blocks), dim3(kThreads)}, stream, cooperative_sort_bodies<Real>, in,
                       state);
}

template void cooperative_sort(const CooperativeSort<float>&, TreeState<float>*, unsigned, cudaStream_t);
template void cooperative_sort(const CooperativeSort<double>&, TreeState<double>*, unsigned, cudaStream_t);

}  // namespace orrery::cuda
