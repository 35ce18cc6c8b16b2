// SPDX-License-Identifier: MIT
// Sorts bodies by Hilbert key: bounding box and units, keys, radix sort (CUB, or one cooperative kernel for few
// bodies), and gathering into sorted order.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>

#include "core/engines/cuda/curve_order.hpp"
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/cooperative_sort.cuh"
#include "core/engines/cuda/tree/gather.cuh"

namespace orrery::cuda {
namespace {

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
