// SPDX-License-Identifier: MIT
#pragma once
// Upward pass over the cells of a tree, from leaves to the root. An Output has the tree's `nodes` and `ranges` and
// computes the data of a cell: leaf(cell) by one thread from its bodies, divided(cell) by an octet from its children.
#include <cooperative_groups.h>

#include <algorithm>

#include "core/engines/cuda/tree/cells.cuh"

namespace orrery::cuda {

inline constexpr unsigned kWeighers = 512;        // threads per block
inline constexpr std::uint32_t kMostSpans = 256;  // with more, cells across span borders need further kernels
inline constexpr std::uint32_t kLongSpan = 8;     // chunks
inline constexpr unsigned kBlocksAcross = 64;  // that compute the cells across span borders; all are resident at once

/// Partition of the chunks into spans, one per block.
struct Spans {
    CellPlaces places;
    std::uint32_t chunks, bodies;  ///< chunks per span; number of all bodies

    __device__ std::uint32_t first_chunk(std::uint32_t span) const { return span * chunks; }
    __device__ std::uint32_t end_chunk(std::uint32_t span) const { return min((span + 1) * chunks, places.chunks); }
    __device__ std::uint32_t end(std::uint32_t span) const {
        return static_cast<std::uint32_t>(min(std::uint64_t{end_chunk(span)} * kChunk, std::uint64_t{bodies}));
    }
};

/// Finds the divided cell of `level` that begins in a span and ends beyond it; returns false if there is none.
template <class Output, class Real>
__device__ bool find_across(const Output& to, const Spans& spans, const TreeState<Real>* state, int level,
                            std::uint32_t level_first, std::uint32_t span, std::uint32_t& cell) {
    const std::uint32_t* cells = state->cells_of_level;
    const std::uint32_t first = spans.places.before(cells, level, spans.first_chunk(span)),
                        end = spans.places.before(cells, level, spans.end_chunk(span));
    cell = level_first + end - 1;
    return first != end && to.ranges[cell].end > spans.end(span) && !to.nodes[cell].is_leaf();
}

/// One block per span computes the cells that begin and end in it, first leaves, then the others from the bottom up. If
/// there are few spans, the last block to finish computes all cells across their borders.
template <class Output, class Real>
__global__ void __launch_bounds__(kWeighers)
    compute_span_moments(const Output to, const Spans spans, TreeState<Real>* state, bool finish) {
    __shared__ std::uint32_t first[32], earlier[32],
        begin[32];  // by level: first cell of this span, number of its cells on levels above, first cell of the level
    __shared__ std::uint32_t total, divided_levels;
    __shared__ std::uint32_t across[kTreeLevels][kMostSpans], found[kTreeLevels];
    if (!state->whole()) return;
    if (threadIdx.x < 32) {
        const std::uint32_t* cells = state->cells_of_level;
        std::uint32_t all, begins = level_begin(cells, all), here = 0;
        const int level = static_cast<int>(threadIdx.x);
        if (level < kTreeLevels) {
            const std::uint32_t from = spans.places.before(cells, level, spans.first_chunk(blockIdx.x));
            here = spans.places.before(cells, level, spans.end_chunk(blockIdx.x)) - from;
            first[level] = begins + from;
        }
        begin[level] = begins;
        std::uint32_t sum;
        earlier[level] = warp_scan(here, sum);
        if (level == 0) total = sum, divided_levels = 0;
    }
    __syncthreads();
    const std::uint32_t span_end = spans.end(blockIdx.x);
    for (std::uint32_t i = threadIdx.x; i < total; i += kWeighers) {
        int level = 0;
        while (level + 1 < kTreeLevels && earlier[level + 1] <= i) ++level;
        const std::uint32_t cell = first[level] + i - earlier[level];
        if (to.nodes[cell].is_leaf())
            to.leaf(cell);
        else if (to.ranges[cell].end <= span_end)
            atomicOr(&divided_levels, 1u << level);
    }
    __syncthreads();
    const unsigned octet = threadIdx.x / kOctet, octets = kWeighers / kOctet;
    for (std::uint32_t left = divided_levels; left != 0;) {
        const int level = 31 - __clz(static_cast<int>(left));
        left ^= 1u << level;
        const std::uint32_t end = level + 1 < kTreeLevels ? earlier[level + 1] : total;
        for (std::uint32_t i = earlier[level] + octet; i < end; i += octets) {
            const std::uint32_t cell = first[level] + i - earlier[level];
            if (!to.nodes[cell].is_leaf() && to.ranges[cell].end <= span_end) to.divided(cell);
        }
        __syncthreads();
    }
    if (!finish) return;
    if (threadIdx.x < kTreeLevels) found[threadIdx.x] = 0;
    if (!last_of_grid(&state->tickets)) return;
    for (std::uint32_t i = threadIdx.x; i < kTreeLevels * gridDim.x; i += kWeighers) {
        const int level = static_cast<int>(i / gridDim.x);
        std::uint32_t cell;
        if (find_across(to, spans, state, level, begin[level], i % gridDim.x, cell))
            across[level][atomicAdd(&found[level], 1u)] = cell;
    }
    __syncthreads();
    for (int level = kTreeLevels - 1; level >= 0; --level) {
        if (found[level] == 0) continue;
        for (std::uint32_t i = octet; i < found[level]; i += octets) to.divided(across[level][i]);
        __syncthreads();
    }
}

/// Cooperative: computes all cells across the borders of spans, level by level.
template <class Output, class Real>
__global__ void __launch_bounds__(kBlock)
    compute_moments_across(const Output to, const Spans spans, const TreeState<Real>* state, std::uint32_t span_count) {
    __shared__ std::uint32_t begin[32];
    if (!state->whole()) return;
    if (threadIdx.x < 32) {
        std::uint32_t all;
        begin[threadIdx.x] = level_begin(state->cells_of_level, all);
    }
    __syncthreads();
    const auto grid = cooperative_groups::this_grid();
    const auto octet = static_cast<std::uint32_t>(thread_index() / kOctet);
    for (int level = kTreeLevels - 2; level >= 0; --level) {
        if (state->cells_of_level[level + 1] == 0) continue;
        std::uint32_t cell;
        for (std::uint32_t span = octet; span < span_count; span += gridDim.x * kBlock / kOctet)
            if (find_across(to, spans, state, level, begin[level], span, cell)) to.divided(cell);
        grid.sync();
    }
}

/// Partition of the cells of a tree among blocks.
struct SpanDivision {
    Spans spans;
    std::uint32_t count;

    SpanDivision(const std::uint32_t* offsets, std::uint32_t bodies) {
        const std::uint32_t chunks = chunks_of(bodies), length = std::clamp(chunks / 128, 1u, kLongSpan);
        spans = {{offsets, chunks}, length, bodies};
        count = (chunks + length - 1) / length;
    }
};

/// Enqueues the computation of all cells.
template <class Output, class Real>
void compute_upward(const Output& to, const SpanDivision& division, TreeState<Real>* state, cudaStream_t stream) {
    const bool finish = division.count <= kMostSpans;
    launch("compute_span_moments", {dim3(division.count), dim3(kWeighers)}, stream, compute_span_moments<Output, Real>,
           to, division.spans, state, finish);
    if (!finish)
        launch_cooperative("compute_moments_across", threads_for(std::uint64_t{division.count} * kOctet, kBlocksAcross),
                           stream, compute_moments_across<Output, Real>, to, division.spans, state, division.count);
}

}  // namespace orrery::cuda
