// SPDX-License-Identifier: MIT
// Kernels 1 to 4 of the thesis' program: bounding box, concurrent insertion with locks, bottom-up centres of mass, and
// tree order.
#include "core/engines/cuda/tree_locks/kernels.cuh"

#include <algorithm>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree_locks/atomic.cuh"
#include "core/engines/locks_choice.hpp"

namespace orrery::cuda {
namespace {

struct Join {
    template <class Real>
    __device__ LocksBounds<Real> operator()(const LocksBounds<Real>& a, const LocksBounds<Real>& b) const {
        return a + b;
    }
};

/// Kernel 1. Each block computes a bounding box; the last block to finish joins all boxes, in order. In the thesis
/// every block waits for a mutex in turn.
template <class Real>
__global__ void __launch_bounds__(kLocksThreads)
    enclose_bodies(const Vec4<Real>* bodies, std::uint32_t count, double softening, LocksOpening opening, double blur,
                   LocksBounds<Real>* partial, LocksCounts* counts, LocksUnits<Real>* units) {
    using Reduce = cub::BlockReduce<LocksBounds<Real>, kLocksThreads>;
    __shared__ typename Reduce::TempStorage memory;
    __shared__ bool last;
    auto box = LocksBounds<Real>::none();
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{gridDim.x} * kLocksThreads)
        box = box + LocksBounds<Real>::of(bodies[i]);
    box = Reduce{memory}.Reduce(box, Join{});
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = box;
        const DeviceAtomic::Ref<std::uint32_t> done{counts->boxed};
        last = done.fetch_add(1, ::cuda::memory_order_acq_rel) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    box = LocksBounds<Real>::none();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += kLocksThreads) box = box + partial[i];
    box = Reduce{memory}.Reduce(box, Join{});
    if (threadIdx.x == 0) *units = locks_units(box, softening, opening, blur);
}

template <class Real>
__global__ void plant_tree(LocksTree<Real> tree) {
    plant(tree);
}

/// Kernel 2. One thread per body; the lanes of a warp loop together, and those whose insertion failed retry.
template <class Real>
__global__ void insert_bodies(LocksTree<Real> tree) {
    const std::uint64_t i = thread_index();
    bool waiting = i < tree.count;
    Insertion in{.body = static_cast<std::uint32_t>(i)};
    if (waiting) in.at = tree.units->place(tree.bodies[i]);
    while (__any_sync(~0u, waiting)) {
        if (waiting) waiting = !try_to_insert<DeviceAtomic>(tree, in);
        __syncwarp();
    }
}

template <class Real>
__global__ void mark_bags(LocksTree<Real> tree, std::uint32_t entries) {
    const std::uint64_t k = thread_index();
    if (k < entries) mark_bag(tree, static_cast<std::uint32_t>(k), entries);
}

template <class T>
__device__ T warp_total(T x) {
    for (unsigned step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
    return x;
}

/// A warp computes a bag, which may hold any number of bodies.
template <class Real>
__device__ void compute_bag_moment(const LocksTree<Real>& tree, std::uint32_t cell) {
    const auto first = static_cast<std::uint32_t>(tree.child(cell, 0)),
               end = static_cast<std::uint32_t>(tree.child(cell, 1));
    const auto body = [&](std::uint32_t k) { return tree.units->scaled(tree.bodies[body_of_entry(tree.bagged[k])]); };
    MassSum<Real> sum{.about = xyz(body(first))};
    for (std::uint32_t k = first + threadIdx.x % 32; k < end; k += 32) sum.add(body(k));
    sum.mass = warp_total(sum.mass);
    sum.first = {warp_total(sum.first.x), warp_total(sum.first.y), warp_total(sum.first.z)};
    sum.plain = {warp_total(sum.plain.x), warp_total(sum.plain.y), warp_total(sum.plain.z)};
    sum.count = Real(end - first);
    if (threadIdx.x % 32 != 0) return;
    tree.centre[cell] = sum.centre();
    DeviceAtomic::store(tree.bodies_in[cell], end - first);
}

/// Kernel 3. A cell is created after its parent, so its index is higher: warps take 32 cells at a time from the highest
/// index down, and wait only for cells that were taken earlier, by warps that are running. So some warp always makes
/// progress, however many blocks fit on the device. Lanes that wait for each other loop together.
template <class Real>
__global__ void compute_cell_moments(LocksTree<Real> tree, std::uint32_t cells) {
    const unsigned lane = threadIdx.x % 32;
    for (;;) {
        std::uint32_t share = 0;
        if (lane == 0) share = DeviceAtomic::add(tree.counts->summed, 1u);
        share = __shfl_sync(~0u, share, 0);
        const std::uint64_t from_top = std::uint64_t{share} * 32 + lane;
        if (std::uint64_t{share} * 32 >= cells) return;  // the whole warp returns
        bool waiting = from_top < cells;
        const std::uint32_t cell = waiting ? cells - 1 - static_cast<std::uint32_t>(from_top) : 0;
        const bool bag = waiting && tree.level[cell] == kBagLevel;
        for (unsigned bags = __ballot_sync(~0u, bag); bags != 0; bags &= bags - 1)
            compute_bag_moment(tree, __shfl_sync(~0u, cell, __ffs(static_cast<int>(bags)) - 1));
        waiting = waiting && !bag;
        unsigned seen = 0;  // number of octants that are ready
        while (__any_sync(~0u, waiting)) {
            while (waiting && seen < 8 && is_ready<DeviceAtomic>(tree, tree.child(cell, seen))) ++seen;
            if (waiting && seen == 8) {
                compute_cell_moment<DeviceAtomic>(tree, cell);
                waiting = false;
            }
            __syncwarp();
        }
    }
}

/// Kernel 4. `low` (see BodyView::low) and `low_in_order` may be null.
template <class Real>
__global__ void order_bodies(LocksTree<Real> tree, const Vec4<Real>* low, Vec4<Real>* in_order,
                             Vec4<Real>* low_in_order, std::uint32_t* order) {
    const std::uint64_t i = thread_index();
    if (i >= tree.count) return;
    const Vec4<Real> body = tree.bodies[i];
    const std::uint32_t rank = rank_of(tree, static_cast<std::uint32_t>(i), tree.units->place(body));
    in_order[rank] = tree.units->scaled(body);
    if (low) low_in_order[rank] = tree.units->scaled(low[i]);
    order[rank] = static_cast<std::uint32_t>(i);
}

}  // namespace

template <class Real>
void LocksBuilder<Real>::reserve_bodies(std::uint64_t count, cudaStream_t stream) {
    require_links(count, 0);
    if (counts_.size() == 0) {
        counts_ = DeviceBuffer<LocksCounts>{1};
        units_ = DeviceBuffer<LocksUnits<Real>>{1};
        // Padding bytes are copied too.
        check(cudaMemsetAsync(units_.data(), 0, sizeof(LocksUnits<Real>), stream), "clearing");
        partial_ = DeviceBuffer<LocksBounds<Real>>{kLocksBoxBlocks};
    }
    if (in_order_.size() >= count) return;
    in_order_ = {}, order_ = {}, bagged_ = {};
    in_order_ = DeviceBuffer<Vec4<Real>>{count};
    order_ = DeviceBuffer<std::uint32_t>{count};
    bagged_ = DeviceBuffer<std::uint64_t>{count};
}

template <class Real>
void LocksBuilder<Real>::reserve_cells(std::uint64_t count) {
    if (centre_.size() >= count) return;
    require_links(count_, count);
    children_ = {}, level_ = {}, witness_ = {}, bodies_in_ = {}, centre_ = {};
    children_ = DeviceBuffer<std::int32_t>{8 * count};
    level_ = DeviceBuffer<std::uint8_t>{count};
    witness_ = DeviceBuffer<std::uint32_t>{count};
    bodies_in_ = DeviceBuffer<std::uint32_t>{count};
    centre_ = DeviceBuffer<Vec4<Real>>{count};
}

template <class Real>
LocksTree<Real> LocksBuilder<Real>::tree() {
    return {.bodies = bodies_,
            .count = count_,
            .room = static_cast<std::uint32_t>(std::min<std::uint64_t>(centre_.size(), kMostLinks - count_)),
            .children = children_.data(),
            .level = level_.data(),
            .witness = witness_.data(),
            .bodies_in = bodies_in_.data(),
            .centre = centre_.data(),
            .bagged = bagged_.data(),
            .counts = counts_.data(),
            .units = units_.data()};
}

template <class Real>
void LocksBuilder<Real>::enclose(const Vec4<Real>* bodies, const Vec4<Real>* low, std::uint64_t count, double softening,
                                 const LocksOpening& opening, cudaStream_t stream) {
    reserve_bodies(count, stream);
    if (low && low_in_order_.size() < count) low_in_order_ = {}, low_in_order_ = DeviceBuffer<Vec4<Real>>{count};
    bodies_ = bodies, low_ = low, count_ = static_cast<std::uint32_t>(count);
    check(cudaMemsetAsync(counts_.data(), 0, sizeof(LocksCounts), stream), "clearing");
    Shape shape = linear(count);
    shape.grid.x = std::min(shape.grid.x, kLocksBoxBlocks);
    launch("enclose_bodies", shape, stream, enclose_bodies<Real>, bodies, count_, softening, opening,
           low ? kLocksBlur<Real> : 0.0, partial_.data(), counts_.data(), units_.data());
}

template <class Real>
void LocksBuilder<Real>::insert(cudaStream_t stream) {
    reserve_cells(first_cells_ > 0 ? first_cells_ : first_room(count_));
    for (;;) {
        check(cudaMemsetAsync(children_.data(), 0xff, children_.size() * sizeof(std::int32_t), stream), "clearing");
        launch("plant_tree", {dim3(1), dim3(1)}, stream, plant_tree<Real>, tree());
        launch("insert_bodies", linear(count_), stream, insert_bodies<Real>, tree());
        LocksCounts counts;
        LocksUnits<Real> units;
        download<LocksCounts>(counts_, std::span{&counts, 1}, stream);
        download<LocksUnits<Real>>(units_, std::span{&units, 1}, stream);
        check(cudaStreamSynchronize(stream), "waiting for the tree");
        cells_ = counts.cells, softening2_ = units.softening2;
        if (counts.overflow == 0) {
            sort_bags(counts.bagged, stream);
            return;
        }
        reserve_cells(more_room(centre_.size(), counts.cells));
    }
}

template <class Real>
void LocksBuilder<Real>::sort_bags(std::uint32_t entries, cudaStream_t stream) {
    if (entries == 0) return;
    if (unsorted_bagged_.size() < bagged_.size())
        unsorted_bagged_ = {}, unsorted_bagged_ = DeviceBuffer<std::uint64_t>{bagged_.size()};
    std::swap(bagged_, unsorted_bagged_);
    const auto sort = [&](void* memory, std::size_t& bytes) {
        check(cub::DeviceRadixSort::SortKeys(memory, bytes, unsorted_bagged_.data(), bagged_.data(),
                                             static_cast<std::int64_t>(entries), 0, 64, stream),
              "sorting bags");
    };
    std::size_t bytes = 0;
    sort(nullptr, bytes);
    if (scratch_.size() < bytes) scratch_ = {}, scratch_ = DeviceBuffer<std::byte>{bytes};
    sort(scratch_.data(), bytes);
    launch("mark_bags", linear(entries), stream, mark_bags<Real>, tree(), entries);
}

template <class Real>
void LocksBuilder<Real>::compute_moments(cudaStream_t stream) {
    check(cudaMemsetAsync(bodies_in_.data(), 0, cells_ * sizeof(std::uint32_t), stream), "clearing");
    launch("compute_cell_moments", linear(cells_), stream, compute_cell_moments<Real>, tree(), cells_);
}

template <class Real>
void LocksBuilder<Real>::order(cudaStream_t stream) {
    launch("order_bodies", linear(count_), stream, order_bodies<Real>, tree(), low_, in_order_.data(),
           low_in_order_.data(), order_.data());
}

template class LocksBuilder<float>;
template class LocksBuilder<double>;

}  // namespace orrery::cuda
