// SPDX-License-Identifier: MIT
// Lock-free tree build from sorted keys, all levels at once: compares the keys of neighbouring bodies to find where
// cells begin and end, counts cells by level and chunk, and writes them at the scanned offsets.
#include "core/engines/cuda/tree/build.cuh"

#include <algorithm>
#include <cub/block/block_scan.cuh>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree/cells.cuh"
#include "core/engines/cuda/tree/gather.cuh"

namespace orrery::cuda {
namespace {

/// Bit mask of the levels `first` to `last`; 0 if `last` < `first`.
__device__ std::uint32_t level_bits(int first, int last) { return ((2u << last) - 1) & ~((1u << first) - 1); }
/// Levels of the cells that begin at a body.
__device__ std::uint32_t beginning(BodyLevels own) {
    return own.divided + 1 > own.shared ? level_bits(own.shared + 1, own.divided + 1) : 0;
}
/// Levels of the cells that end with the body of `before`, which shares `shared` levels with the next body.
__device__ std::uint32_t ending(BodyLevels before, int shared) {
    return before.divided + 1 > shared ? level_bits(shared + 1, before.divided + 1) : 0;
}

/// One thread per body. Bodies i and i + leaf share a cell exactly if some cell with more than `leaf` bodies contains
/// both, and such a cell is divided; so the deepest divided cell of a body is the deepest of those of the leaf + 1
/// pairs around it. A cell begins at a body that does not share it with the previous body, if its parent is divided. A
/// border cell is divided however few of its bodies are on this rank. Counts cells by level and chunk.
__global__ void find_cells(const std::uint64_t* keys, std::uint32_t bodies, int sorted_levels, std::uint32_t leaf,
                           const DomainBorders borders, BodyLevels* body_levels, std::uint32_t* counts,
                           std::uint32_t* deeper) {
    extern __shared__ std::uint64_t near[];  // kChunk + 2·leaf + 1 keys, then kChunk + leaf levels
    auto* const crowd = reinterpret_cast<std::int8_t*>(near + kChunk + 2 * leaf + 1);
    __shared__ std::uint32_t count[kTreeLevels];
    const std::int64_t begin = std::int64_t{blockIdx.x} * kChunk, before = begin - leaf - 1;
    for (std::uint32_t k = threadIdx.x; k < kChunk + 2 * leaf + 1; k += kChunk)
        if (before + k >= 0 && before + k < bodies) near[k] = keys[before + k];
    if (threadIdx.x < kTreeLevels) count[threadIdx.x] = 0;
    __syncthreads();
    for (std::uint32_t k = threadIdx.x; k < kChunk + leaf; k += kChunk) {
        const std::int64_t first = begin - leaf + k;
        const bool both = first >= 0 && first + leaf < bodies;
        crowd[k] = static_cast<std::int8_t>(both ? shared_level(near[k + 1], near[k + 1 + leaf], sorted_levels) : -1);
    }
    __syncthreads();
    const std::int64_t body = begin + threadIdx.x;
    std::uint32_t begins = 0;
    if (body < bodies) {
        int divided = -1;
        for (std::uint32_t k = 0; k <= leaf; ++k) divided = max(divided, int{crowd[threadIdx.x + k]});
        if (divided == sorted_levels) {  // a leaf, however many bodies it has
            if (sorted_levels < kKeyLevels) *deeper = 1;
            --divided;
        }
        const std::uint64_t* own = near + threadIdx.x + leaf + 1;
        divided = max(divided, border_level(borders, *own, sorted_levels));
        const int shared = body == 0 ? -1 : shared_level(own[-1], own[0], sorted_levels);
        const BodyLevels levels{static_cast<std::int8_t>(shared), static_cast<std::int8_t>(divided)};
        body_levels[body] = levels;
        begins = beginning(levels);
    }
    for (std::uint32_t left = bits_of_warp(begins); left != 0; left &= left - 1) {
        const int level = __ffs(static_cast<int>(left)) - 1;
        const unsigned here = __ballot_sync(~0u, (begins >> level & 1) != 0);
        if (threadIdx.x % 32 == 0) atomicAdd(&count[level], static_cast<std::uint32_t>(__popc(here)));
    }
    __syncthreads();
    if (threadIdx.x < kTreeLevels) counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

/// One block per level converts its counts to offsets, in place.
template <class Real>
__global__ void place_cells(std::uint32_t* counts, std::uint32_t chunks, TreeState<Real>* state) {
    using Scan = cub::BlockScan<std::uint32_t, kChunk>;
    __shared__ typename Scan::TempStorage memory;
    std::uint32_t* own = counts + std::uint64_t{blockIdx.x} * chunks;
    const std::uint32_t share = (chunks + kChunk - 1) / kChunk, first = min(chunks, threadIdx.x * share),
                        end = min(chunks, first + share);
    std::uint32_t sum = 0, all = 0;
    for (std::uint32_t i = first; i < end; ++i) sum += own[i];
    Scan{memory}.ExclusiveSum(sum, sum, all);
    for (std::uint32_t i = first; i < end; ++i) {
        const std::uint32_t count = own[i];
        own[i] = sum;
        sum += count;
    }
    if (threadIdx.x != 0) return;
    state->cells_of_level[blockIdx.x] = all;
    state->groups_of_level[blockIdx.x] = 0;
    if (blockIdx.x == 0) state->overflow = 0, state->with_bodies = state->with_cells = 0;
}

/// One thread per body, and one for the end of the last body, writes where cells begin and end: their bodies and
/// children. Until moments are computed, a node's count is the index after its last child, or -1 for a leaf.
template <class Real>
__global__ void write_cells(const BodyLevels* body_levels, std::uint32_t bodies, CellPlaces places, std::uint32_t room,
                            TreeState<Real>* state, BodyRange* ranges, TreeNode<Real>* nodes) {
    __shared__ std::uint32_t begun[kChunk / 32][kTreeLevels];
    __shared__ std::uint32_t total;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const std::uint32_t body = blockIdx.x * kChunk + threadIdx.x;
    BodyLevels own{-1, -1}, before{-1, -1};
    if (body < bodies) own = body_levels[body];
    if (body > 0 && body <= bodies) before = body_levels[body - 1];
    const std::uint32_t begins = body < bodies ? beginning(own) : 0,
                        ends = body > 0 && body <= bodies ? ending(before, own.shared) : 0;
    const std::uint32_t here = bits_of_warp(begins | ends);
    if (lane < kTreeLevels) begun[warp][lane] = 0;
    __syncwarp();
    for (std::uint32_t left = here; left != 0; left &= left - 1) {
        const int level = __ffs(static_cast<int>(left)) - 1;
        const unsigned who = __ballot_sync(~0u, (begins >> level & 1) != 0);
        if (lane == 0) begun[warp][level] = static_cast<std::uint32_t>(__popc(who));
    }
    __syncthreads();
    if (warp == 0) {
        std::uint32_t cells;
        std::uint32_t at = level_begin(state->cells_of_level, cells);
        if (lane == 0) total = cells;
        if (lane < kTreeLevels) {
            at += places.before(state->cells_of_level, static_cast<int>(lane), blockIdx.x);
            for (unsigned w = 0; w < kChunk / 32; ++w) {
                const std::uint32_t count = begun[w][lane];
                begun[w][lane] = at;
                at += count;
            }
        }
    }
    __syncthreads();
    if (total > room) {
        if (body == 0) state->overflow = 1;
        return;
    }
    std::uint32_t below = 0;  // the cell one level deeper that begins here, or the next one to begin
    for (std::uint32_t left = here; left != 0;) {
        const int level = 31 - __clz(static_cast<int>(left));
        left ^= 1u << level;
        const bool begins_here = (begins >> level & 1) != 0;
        const unsigned who = __ballot_sync(~0u, begins_here);
        const std::uint32_t cell = begun[warp][level] + static_cast<std::uint32_t>(__popc(who & ((1u << lane) - 1)));
        if (begins_here) {
            ranges[cell].first = body;
            nodes[cell].rest.first = static_cast<std::int32_t>(level == own.divided + 1 ? body : below);
        }
        if ((ends >> level & 1) != 0) {
            ranges[cell - 1].end = body;
            nodes[cell - 1].rest.count = level == before.divided + 1 ? -1 : static_cast<std::int32_t>(below);
        }
        below = cell;
    }
}

constexpr std::uint32_t kMostBodies = std::numeric_limits<std::int32_t>::max();  // nodes number them in this type
static_assert(std::uint64_t{chunks_of(kMostBodies)} * kTreeLevels <= std::numeric_limits<std::uint32_t>::max());
static_assert((std::uint64_t{kMostBodies} / kChunk + 1) * kChunk <= std::numeric_limits<std::uint32_t>::max());
static_assert(kMostTreeCells <= std::numeric_limits<std::int32_t>::max());

/// Initial room for cells per `leaf` bodies: evenly distributed bodies need up to 4. Of so many bodies that memory may
/// be short, most need less than 3; if not, the build is repeated.
constexpr std::uint64_t kCellsPerLeaf = 5, kCellsPerLeafOfMany = 3, kManyForMemory = 1ull << 28;

}  // namespace

template <class Real>
void TreeBuilder<Real>::reserve_cells(std::uint64_t count) {
    if (memory_.nodes.size() >= count) return;
    require_cells(count);
    memory_.ranges = {}, memory_.nodes = {}, memory_.lows = {}, memory_.highs = {}, memory_.quadrupoles = {};
    memory_.ranges = DeviceBuffer<BodyRange>{count};
    memory_.nodes = DeviceBuffer<TreeNode<Real>>{count};
    memory_.lows = DeviceBuffer<Vec3<Real>>{count};
    memory_.highs = DeviceBuffer<Vec3<Real>>{count};
}

template <class Real>
void TreeBuilder<Real>::make_cells(cudaStream_t stream) {
    const std::uint64_t per_leaf = input_.count < kManyForMemory ? kCellsPerLeaf : kCellsPerLeafOfMany;
    reserve_cells(std::max<std::uint64_t>(1024, per_leaf * input_.count / shape_.leaf) + border_.room);
    const std::uint32_t chunks = chunks_of(count_);
    if (memory_.body_levels.size() < count_) memory_.body_levels = DeviceBuffer<BodyLevels>{count_};
    if (memory_.offsets.size() < chunks * kTreeLevels)
        memory_.offsets = DeviceBuffer<std::uint32_t>{chunks * kTreeLevels};
    const Shape all{dim3(chunks), dim3(kChunk)};
    const Shape with_neighbours{all.grid, all.block,
                                (kChunk + 2 * shape_.leaf + 1) * sizeof(std::uint64_t) + kChunk + shape_.leaf};
    launch("find_cells", with_neighbours, stream, find_cells, sorting_.sorted_keys.data(), count_, sorting_.levels,
           shape_.leaf, border_.domains, memory_.body_levels.data(), memory_.offsets.data(), &state_.data()->deeper);
    launch("place_cells", {dim3(kTreeLevels), dim3(kChunk)}, stream, place_cells<Real>, memory_.offsets.data(), chunks,
           state_.data());
    launch("write_cells", all, stream, write_cells<Real>, memory_.body_levels.data(), count_,
           CellPlaces{memory_.offsets.data(), chunks}, memory_.nodes.size() - border_.room, state_.data(),
           memory_.ranges.data(), memory_.nodes.data());
}

template <class Real>
void TreeBuilder<Real>::build(const TreeShape& shape, const TreeMac& rule, cudaStream_t stream, const Event& built) {
    shape_ = shape, rule_ = rule;
    make_cells(stream);
    built.record(stream);
    compute_moments(rule, true, stream);
    find_groups(stream);
    if (!pinned_) pinned_ = PinnedBuffer<TreeState<Real>>{1};
    download<TreeState<Real>>(state_, std::span{pinned_.data(), 1}, stream);
    copied_.record(stream);
}

template <class Real>
bool TreeBuilder<Real>::settle(cudaStream_t stream, const Event& built) {
    for (bool again = false;; again = true) {
        copied_.wait();
        host_ = *pinned_.data();
        cells_ = 0, levels_ = 0;
        while (levels_ < kTreeLevels && host_.cells_of_level[levels_] > 0) cells_ += host_.cells_of_level[levels_++];
        if (host_.deeper != 0)
            sort_keys(least_levels_ = sorting_.levels + 1, stream);
        else if (host_.overflow != 0)
            reserve_cells(std::min(cells_ + cells_ / 4, std::max(cells_, kMostTreeCells)));
        else
            return again;
        build(shape_, rule_, stream, built);
    }
}

template <class Real>
void TreeBuilder<Real>::forget_interactions(cudaStream_t stream) {
    TreeState<Real>* state = state_.data();
    check(cudaMemsetAsync(&state->with_bodies, 0, sizeof state->with_bodies, stream), "clearing");
    check(cudaMemsetAsync(&state->with_cells, 0, sizeof state->with_cells, stream), "clearing");
}

template <class Real>
TreeState<Real> TreeBuilder<Real>::read(cudaStream_t stream) const {
    if (!pinned_) pinned_ = PinnedBuffer<TreeState<Real>>{1};
    download<TreeState<Real>>(state_, std::span{pinned_.data(), 1}, stream);
    check(cudaStreamSynchronize(stream), "waiting for the tree");
    return *pinned_.data();
}

template <class Real>
TreeView<Real> TreeBuilder<Real>::view() {
    return {.bodies = bodies_.data(),
            .low = low_.data(),
            .order = order_.data(),
            .acceleration_norm = acceleration_norm_.data(),
            .nodes = memory_.nodes.data(),
            .quadrupoles = memory_.quadrupoles.data(),
            .lows = memory_.lows.data(),
            .highs = memory_.highs.data(),
            .groups = grouping_.groups.data(),
            .groups_room = grouping_.room,
            .count = count_,
            .root = static_cast<std::uint32_t>(border_.room > 0 ? memory_.nodes.size() - border_.room : 0),
            .state = state_.data()};
}

template class TreeBuilder<float>;
template class TreeBuilder<double>;

}  // namespace orrery::cuda
