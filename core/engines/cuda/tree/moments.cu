// SPDX-License-Identifier: MIT
// Masses, centres and boxes of cells, from leaves upward.
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/moments.cuh"

namespace orrery::cuda {
namespace {

constexpr unsigned kWeighers = 512;        // threads of a block
constexpr std::uint32_t kMostSpans = 256;  // whose borders one block weighs the cells across of
constexpr std::uint32_t kLongSpan = 8;     // chunks

/// Chunks that one block looks after.
struct Spans {
    CellPlaces places;
    std::uint32_t chunks, bodies;  ///< of a span; of all

    __device__ std::uint32_t first_chunk(std::uint32_t span) const { return span * chunks; }
    __device__ std::uint32_t end_chunk(std::uint32_t span) const { return min((span + 1) * chunks, places.chunks); }
    __device__ std::uint32_t end(std::uint32_t span) const {
        return static_cast<std::uint32_t>(min(std::uint64_t{end_chunk(span)} * kChunk, std::uint64_t{bodies}));
    }
};

/// The cell of `level` that begins in a span, ends beyond it and is divided, if there is one.
template <class Real>
__device__ bool find_across(const MomentOutput<Real>& to, const Spans& spans, const TreeState<Real>* state, int level,
                            std::uint32_t level_first, std::uint32_t span, std::uint32_t& cell) {
    const std::uint32_t* cells = state->cells_of_level;
    const std::uint32_t first = spans.places.before(cells, level, spans.first_chunk(span)),
                        end = spans.places.before(cells, level, spans.end_chunk(span));
    cell = level_first + end - 1;
    return first != end && to.ranges[cell].end > spans.end(span) && !to.nodes[cell].is_leaf();
}

/// A block per span weighs what begins and ends in it, leaves and then the others from below. If there are few spans
/// the block that is done last weighs all cells across their borders.
template <class Real>
__global__ void __launch_bounds__(kWeighers)
    compute_span_moments(const MomentOutput<Real> to, const Spans spans, TreeState<Real>* state, bool finish) {
    __shared__ std::uint32_t first[32], earlier[32],
        begin[32];  // of a level: its cells here, those of levels above, itself
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

template <class Real>
__global__ void compute_level_moments_across(const MomentOutput<Real> to, const Spans spans,
                                             const TreeState<Real>* state, int level, std::uint32_t span_count) {
    __shared__ std::uint32_t begin[32];
    if (!state->whole() || state->cells_of_level[level + 1] == 0) return;
    if (threadIdx.x < 32) {
        std::uint32_t all;
        begin[threadIdx.x] = level_begin(state->cells_of_level, all);
    }
    __syncthreads();
    const auto octet = static_cast<std::uint32_t>(thread_index() / kOctet);
    std::uint32_t cell;
    for (std::uint32_t span = octet; span < span_count; span += gridDim.x * blockDim.x / kOctet)
        if (find_across(to, spans, state, level, begin[level], span, cell)) to.divided(cell);
}

}  // namespace

template <class Real>
MomentOutput<Real> TreeBuilder<Real>::moment_output(const TreeRule& rule, bool fresh) {
    return {.nodes = nodes_.data(),
            .quadrupoles = quadrupoles_.data(),
            .lows = lows_.data(),
            .highs = highs_.data(),
            .ranges = ranges_.data(),
            .bodies = bodies_.data(),
            .rule = rule,
            .fresh = fresh};
}

template <class Real>
void TreeBuilder<Real>::compute_moments(const TreeRule& rule, bool fresh, cudaStream_t stream) {
    if (rule.order == 2 && quadrupoles_.size() < nodes_.size())
        quadrupoles_ = {}, quadrupoles_ = DeviceBuffer<Quadrupole<Real>>{nodes_.size()};
    const MomentOutput<Real> to = moment_output(rule, fresh);
    const std::uint32_t chunks = chunks_of(count_), length = std::clamp(chunks / 128, 1u, kLongSpan),
                        spans = (chunks + length - 1) / length;
    const Spans division{{offsets_.data(), chunks}, length, count_};
    const bool finish = spans <= kMostSpans;
    launch("compute_span_moments", {dim3(spans), dim3(kWeighers)}, stream, compute_span_moments<Real>, to, division,
           state_.data(), finish);
    for (int level = sorted_levels_ - 1; level >= 0 && !finish; --level)
        launch("compute_level_moments_across", threads_for(std::uint64_t{spans} * kOctet), stream,
               compute_level_moments_across<Real>, to, division, state_.data(), level, spans);
}

template MomentOutput<float> TreeBuilder<float>::moment_output(const TreeRule&, bool);
template MomentOutput<double> TreeBuilder<double>::moment_output(const TreeRule&, bool);
template void TreeBuilder<float>::compute_moments(const TreeRule&, bool, cudaStream_t);
template void TreeBuilder<double>::compute_moments(const TreeRule&, bool, cudaStream_t);

}  // namespace orrery::cuda
