// SPDX-License-Identifier: MIT
// Sorts bodies by Hilbert key: bounding box and units, keys, radix sort (CUB, or one cooperative kernel for few
// bodies), and gathering into sorted order.
#include <cooperative_groups.h>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

#include "core/engines/cuda/curve_order.hpp"
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/gather.cuh"
#include "core/engines/cuda/tree/tuning.hpp"

namespace orrery::cuda {

// Cooperative radix sort of as many bodies as all resident blocks of a device can hold: one kernel instead of a dozen,
// whose launches would take longer than their work. The least significant digit first, with grid-wide barriers between
// passes.

constexpr int kDigitLevels = 3;  // levels of the tree per pass: nine bits
constexpr unsigned kDigits = 1u << 3 * kDigitLevels, kDigitPairs = kDigits / 2;
constexpr unsigned kMostCooperativeBlocks = 1024;  // blocks

/// The number of levels, at least `levels`, that whole passes cover.
constexpr int whole_digits(int levels) { return (levels + kDigitLevels - 1) / kDigitLevels * kDigitLevels; }

template <class Real>
struct CooperativeSort {
    Gathering<Real> gathering;
    double softening;
    int levels;                ///< a result of whole_digits()
    std::uint64_t* keys[2];    ///< the sorted keys end up in the second array
    std::uint32_t* bodies[2];  ///< the same for indices of the scene's bodies
    std::uint32_t* counts;     ///< [block][pair of digits]
    Bounds<Real>* bounds;      ///< [block]
};

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

/// Number of blocks for a cooperative sort of `count` bodies; 0 if there are too many bodies.
unsigned cooperative_blocks(std::uint64_t count) {
    int device = 0, processors = 0, can = 0;
    check(cudaGetDevice(&device), "current device");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "device");
    check(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device), "device");
    const auto most = std::min(static_cast<unsigned>(processors), kMostCooperativeBlocks);
    if (can == 0 || count > std::uint64_t{most} * kThreads * kCooperativeRounds) return 0;
    return std::min(most, static_cast<unsigned>((count + kThreads - 1) / kThreads));
}

/// Enqueues bounds and units, keys, their sort and the gathering of bodies in that order.
template <class Real>
void cooperative_sort(const CooperativeSort<Real>& in, TreeState<Real>* state, unsigned blocks, cudaStream_t stream) {
    launch_cooperative("cooperative_sort", {dim3(blocks), dim3(kThreads)}, stream, cooperative_sort_bodies<Real>, in,
                       state);
}

constexpr unsigned kShares = 1024;  // maximum number of blocks that reduce the bodies
inline Shape shares_of(std::uint64_t count) { return threads_for(count, kShares); }

/// Each block reduces a share of the bodies to their bounds, and the last block reduces the shares, in a fixed order.
template <class Real>
__global__ void enclose_bodies(const Vec4<Real>* bodies, std::uint32_t count, double softening, Bounds<Real>* shares,
                               TreeState<Real>* state) {
    using Reduce = cub::BlockReduce<Bounds<Real>, kBlock>;
    __shared__ typename Reduce::TempStorage memory;
    const auto enclose_all = [](std::uint64_t first, std::uint64_t step, std::uint64_t end, auto&& at) {
        Bounds<Real> own = Bounds<Real>::none();
        for (std::uint64_t i = first; i < end; i += step) own = BoundsUnion{}(own, at(i));
        return own;
    };
    const Bounds<Real> own = enclose_all(thread_index(), std::uint64_t{gridDim.x} * kBlock, count,
                                         [&](std::uint64_t i) { return BoundsOf<Real>{}(bodies[i]); });
    const Bounds<Real> share = Reduce{memory}.Reduce(own, BoundsUnion{});
    if (threadIdx.x == 0) shares[blockIdx.x] = share;
    if (!last_of_grid(&state->tickets)) return;
    const Bounds<Real> all = Reduce{memory}.Reduce(
        enclose_all(threadIdx.x, kBlock, gridDim.x, [&](std::uint64_t i) { return shares[i]; }), BoundsUnion{});
    if (threadIdx.x == 0) state->units = units_for(all, softening);
}

/// With `packs` the index of a body is in the last bits of its key, otherwise in `identity`.
template <class Real>
__global__ void make_keys(const Vec4<Real>* bodies, std::uint32_t count, int levels, bool packs,
                          const TreeState<Real>* state, std::uint64_t* keys, std::uint32_t* identity) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const std::uint64_t key = key_of(state->units.grid, xyz(bodies[i]), levels);
    keys[i] = packs ? key | i : key;
    if (!packs) identity[i] = static_cast<std::uint32_t>(i);
}

template <class Real>
__global__ void gather(const Gathering<Real> in, TreeState<Real>* state) {
    if (in.bodies && thread_index() == 0) state->deeper = 0;  // the following kernels set it again for the new keys
    gather_share<kBlock>(in, state, thread_index(), std::uint64_t{gridDim.x} * kBlock, in.count);
}

}  // namespace

int whole_passes(int levels) {
    constexpr int digit = 8;  // bits per pass of the radix sort
    const int passes = (3 * levels + digit - 1) / digit;
    return std::min(passes * digit / 3, kKeyLevels);
}

template <class Real>
void* TreeBuilder<Real>::scratch(std::size_t bytes) {
    if (sorting_.scratch.size() < bytes) sorting_.scratch = {}, sorting_.scratch = DeviceBuffer<std::byte>{bytes};
    return sorting_.scratch.data();
}

template <class Real>
void TreeBuilder<Real>::reserve_bodies(std::uint64_t count, cudaStream_t stream) {
    if (bodies_.size() > count) return;
    const int levels = least_levels_;
    const bool clusters = grouping_.keeps_clusters;
    MomentPass moments = std::move(moments_);
    *this = TreeBuilder<Real>{};
    least_levels_ = levels, grouping_.keeps_clusters = clusters, moments_ = std::move(moments);
    const std::size_t each = sizeof(Vec4<Real>) + (clusters ? 3 : 2) * sizeof(std::uint64_t) +
                             (clusters ? 1 : 2) * sizeof(std::uint32_t) + sizeof(Real);
    require_memory(count, count * each);
    state_ = DeviceBuffer<TreeState<Real>>{1};
    check(cudaMemsetAsync(state_.data(), 0, sizeof(TreeState<Real>), stream), "clearing");
    sorting_.shares = DeviceBuffer<Vec4<Real>>{kShares * ((sizeof(Bounds<Real>) - 1) / sizeof(Vec4<Real>) + 1)};
    bodies_ = DeviceBuffer<Vec4<Real>>{count + 1};  // walks read one body beyond the end
    check(cudaMemsetAsync(bodies_.data() + count, 0, sizeof(Vec4<Real>), stream), "clearing");
    sorting_.keys = DeviceBuffer<std::uint64_t>{clusters ? 2 * count : count};
    sorting_.sorted_keys = DeviceBuffer<std::uint64_t>{count};
    order_ = DeviceBuffer<std::uint32_t>{count};
    if (!clusters) sorting_.identity = DeviceBuffer<std::uint32_t>{count};
    acceleration_norm_ = DeviceBuffer<Real>{count};
}

template <class Real>
void TreeBuilder<Real>::sort(const Vec4<Real>* bodies, std::uint64_t count, double softening, const TreeShape& shape,
                             cudaStream_t stream, const Vec4<Real>* low, const Previous<Real>& previous) {
    set_bodies(bodies, count, softening, stream, low, previous);
    border_.domains = {}, border_.room = 0;
    sort_keys(levels_for(shape), stream);
}

/// Evenly distributed bodies need log₈(count / leaf) levels, spheres with a dense centre up to six more. settle()
/// checks whether that is enough.
template <class Real>
int TreeBuilder<Real>::levels_for(const TreeShape& shape) const {
    int levels = 6;
    for (std::uint64_t cells = shape.leaf; cells < input_.count; cells *= 8) ++levels;
    return std::max(least_levels_, levels);
}

template <class Real>
void TreeBuilder<Real>::set_bodies(const Vec4<Real>* bodies, std::uint64_t count, double softening, cudaStream_t stream,
                                   const Vec4<Real>* low, const Previous<Real>& previous) {
    reserve_bodies(count, stream);
    input_.bodies = bodies;
    input_.low = low;
    input_.previous = previous;
    if (low && low_.size() < count) low_ = DeviceBuffer<Vec4<Real>>{count};
    input_.count = count_ = static_cast<std::uint32_t>(count);
    input_.softening = softening;
}

template <class Real>
void TreeBuilder<Real>::enclose(cudaStream_t stream) {
    launch("enclose_bodies", shares_of(input_.count), stream, enclose_bodies<Real>, input_.bodies, input_.count,
           input_.softening, reinterpret_cast<Bounds<Real>*>(sorting_.shares.data()), state_.data());
}

/// Sorts by the first `levels` levels of the tree, or some more; bodies that these do not separate keep the scene's
/// order.
template <class Real>
void TreeBuilder<Real>::sort_keys(int levels, cudaStream_t stream) {
    if (const unsigned blocks = cooperative_blocks(count_); blocks > 0) {
        sorting_.levels = whole_digits(levels);
        if (sorting_.digit_counts.size() == 0)
            sorting_.digit_counts = DeviceBuffer<std::uint32_t>{kMostCooperativeBlocks * kDigitPairs};
        const CooperativeSort<Real> in{.gathering = gathering(input_.bodies, input_.low, input_.previous),
                                       .softening = input_.softening,
                                       .levels = sorting_.levels,
                                       .keys = {sorting_.keys.data(), sorting_.sorted_keys.data()},
                                       .bodies = {unsorted(), order_.data()},
                                       .counts = sorting_.digit_counts.data(),
                                       .bounds = reinterpret_cast<Bounds<Real>*>(sorting_.shares.data())};
        cooperative_sort(in, state_.data(), blocks, stream);
        return;
    }
    sorting_.levels = whole_passes(levels);
    enclose(stream);
    // Passes alternate between two arrays; the sorted keys must end up in the second one. Keys that contain the indices
    // of bodies save a third of the memory traffic.
    const int begin = index_bits(), end = 3 * kKeyLevels, passes = (end - begin + 7) / 8;
    std::uint64_t *const first = sorting_.keys.data(), *const second = sorting_.sorted_keys.data();
    const bool odd = passes % 2 == 1, packs = (std::uint64_t{count_} - 1) >> index_bits() == 0;
    cub::DoubleBuffer<std::uint64_t> keys{odd ? first : second, odd ? second : first};
    cub::DoubleBuffer<std::uint32_t> bodies{odd ? unsorted() : order_.data(), odd ? order_.data() : unsorted()};
    launch("make_keys", linear(count_), stream, make_keys<Real>, input_.bodies, count_, sorting_.levels, packs,
           state_.data(), keys.Current(), bodies.Current());
    const auto radix = [&](void* memory, std::size_t& needed) {
        const auto count = static_cast<std::int64_t>(count_);
        check(packs ? cub::DeviceRadixSort::SortKeys(memory, needed, keys, count, begin, end, stream)
                    : cub::DeviceRadixSort::SortPairs(memory, needed, keys, bodies, count, begin, end, stream),
              "sorting keys");
    };
    std::size_t bytes = 0;
    radix(nullptr, bytes);
    radix(scratch(bytes), bytes);
    if (keys.Current() != second) {  // CUB may take other passes
        check(cudaMemcpyAsync(second, first, count_ * sizeof(std::uint64_t), cudaMemcpyDeviceToDevice, stream), "copy");
        if (!packs)
            check(cudaMemcpyAsync(order_.data(), unsorted(), count_ * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice,
                                  stream),
                  "copy");
    }
    Gathering<Real> in = gathering(input_.bodies, input_.low, input_.previous);
    if (packs) in.packed = second, in.index_bits = (1ull << index_bits()) - 1;
    launch("gather", shares_of(count_), stream, gather<Real>, in, state_.data());
}

/// For the bodies of a domain: sorts by the levels that the keys contain, then gathers the bodies into that order.
template <class Real>
void TreeBuilder<Real>::sort_pairs(cudaStream_t stream) {
    const auto radix = [&](void* memory, std::size_t& needed) {
        check(cub::DeviceRadixSort::SortPairs(memory, needed, sorting_.keys.data(), sorting_.sorted_keys.data(),
                                              unsorted(), order_.data(), static_cast<std::int64_t>(count_),
                                              index_bits(), 3 * kKeyLevels, stream),
              "sorting keys");
    };
    std::size_t bytes = 0;
    radix(nullptr, bytes);
    radix(scratch(bytes), bytes);
    gather_into_order(input_.bodies, input_.low, input_.previous, stream);
}

template <class Real>
Gathering<Real> TreeBuilder<Real>::gathering(const Vec4<Real>* bodies, const Vec4<Real>* low,
                                             const Previous<Real>& previous) {
    return {.bodies = bodies,
            .low = low,
            .acceleration = previous.acceleration,
            .G = previous.G,
            .packed = nullptr,
            .index_bits = 0,
            .order = order_.data(),
            .count = count_,
            .sorted = bodies_.data(),
            .sorted_low = low_.data(),
            .acceleration_norm = acceleration_norm_.data(),
            .shares = reinterpret_cast<Real*>(sorting_.shares.data())};
}

template <class Real>
void TreeBuilder<Real>::gather_into_order(const Vec4<Real>* bodies, const Vec4<Real>* low,
                                          const Previous<Real>& previous, cudaStream_t stream) {
    launch("gather", shares_of(count_), stream, gather<Real>, gathering(bodies, low, previous), state_.data());
}

template <class Real>
void TreeBuilder<Real>::gather_acceleration_norms(const Previous<Real>& previous, cudaStream_t stream) {
    gather_into_order(nullptr, nullptr, previous, stream);
}

template <class Real>
void TreeBuilder<Real>::follow(const Vec4<Real>* bodies, const Vec4<Real>* low, const Previous<Real>& previous,
                               const TreeMac& rule, cudaStream_t stream) {
    gather_into_order(bodies, low, previous, stream);
    compute_moments_again(rule, stream);
}

template <class Real>
DeviceCurveOrder<Real>::DeviceCurveOrder() : tree_{std::make_unique<TreeBuilder<Real>>()} {}
template <class Real>
DeviceCurveOrder<Real>::~DeviceCurveOrder() = default;

template <class Real>
void DeviceCurveOrder<Real>::sort(const Vec4<Real>* bodies, std::uint64_t count, std::uint32_t leaf,
                                  cudaStream_t stream) {
    tree_->sort(bodies, count, 0, {leaf, leaf, leaf}, stream);
}
template <class Real>
const std::uint32_t* DeviceCurveOrder<Real>::order() const {
    return tree_->order();
}
template <class Real>
const Vec4<Real>* DeviceCurveOrder<Real>::bodies() const {
    return tree_->view().bodies;
}
template <class Real>
const Real* DeviceCurveOrder<Real>::per_length() const {
    return &tree_->view().state->units.per_length;
}

template class TreeBuilder<float>;
template class TreeBuilder<double>;
template class DeviceCurveOrder<float>;
template class DeviceCurveOrder<double>;

}  // namespace orrery::cuda
