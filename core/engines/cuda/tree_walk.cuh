// SPDX-License-Identifier: MIT
#pragma once
// The walk of a group of bodies through the tree, one warp per group. 32 cells at a time are taken from a stack and
// tested against the group's box. What is taken whole, and the bodies of leaves that are not, gather in a list in
// shared memory; each 32 of them meet all bodies of the group, which lie in registers.
#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree_data.cuh"
#include "core/physics/opening.hpp"
#include "core/physics/pull.cuh"

namespace orrery::cuda {

template <class Real>
struct WalkArgs {
    TreeView<Real> tree;
    std::uint32_t end;  ///< of the groups to walk; state->next_group is the first
    Rule rule;
    Vec4<Real>* acceleration;
    double G;
};

/// Children of a cell that wait to be looked at: the first one and, in the last four bits, how many.
using Family = std::uint32_t;
__host__ __device__ constexpr Family family(std::uint32_t first, std::uint32_t count) { return first << 4 | count; }

/// A warp takes four families and leaves at most 32 in their place: per level of the tree no more than 28 wait, beside
/// those of the last step.
constexpr int kStackRoom = 28 * kTreeLevels + 32;

constexpr unsigned kWalkWarps = 4;

template <class Real, int kOrder, Split kSplit>
struct WalkLists {
    Placed<Real, kSplit> sources[64];  // bodies, and cells that count as one
    std::int32_t leaf_base[32];
    Family stack[kStackRoom];
};
template <class Real, Split kSplit>
struct WalkLists<Real, 2, kSplit> {
    Placed<Real, kSplit> sources[64];
    std::int32_t leaf_base[32];
    Family stack[kStackRoom];
    std::uint32_t cells[64];
    Vec4<Real> centres[32], quadrupoles[32][2];  // xx yy zz xy, xz yz and half the trace: two loads
};

/// Exclusive sum over the lanes of a warp; `total` of all.
__device__ inline int warp_scan(int x, int& total) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    int sum = x;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int left = __shfl_up_sync(~0u, sum, static_cast<unsigned>(step));
        if (lane >= step) sum += left;
    }
    total = __shfl_sync(~0u, sum, 31);
    return sum - x;
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

template <class Real, int kBodies, int kOrder, Softened kSoftened, bool kPotential, Split kSplit>
class Walk {
public:
    using Lists = WalkLists<Real, kOrder, kSplit>;
    using Body = Placed<Real, kSplit>;

    __device__ Walk(const WalkArgs<Real>& in, Lists& lists)
        : in_{in}, lists_{lists}, softening2_{in.tree.state->units.softening2} {}

    __device__ void group(std::uint32_t group) {
        const std::uint32_t first = in_.tree.groups[group];
        const std::uint32_t end = group + 1 < in_.tree.state->groups ? in_.tree.groups[group + 1] : in_.tree.count;
        enter(first, end);
        int waiting = 1;
        if (lane() == 0) lists_.stack[0] = family(0, 1);  // the root
        __syncwarp();
        while (waiting > 0) waiting = step(waiting);
        meet_sources(head_, queued_);
        if constexpr (kOrder == 2) meet_cells(cells_head_, cells_queued_);
        queued_ = cells_queued_ = 0;
        leave(first, end);
    }

    /// Adds to what all warps counted.
    __device__ void report() const {
        if (lane() != 0) return;
        atomicAdd(&in_.tree.state->with_bodies, with_bodies_);
        atomicAdd(&in_.tree.state->with_cells, with_cells_);
    }

private:
    __device__ static unsigned lane() { return threadIdx.x % 32; }
    __device__ static unsigned lanes_below() { return (1u << lane()) - 1; }

    /// Bodies into registers; the group's box and what its errors are measured by.
    __device__ void enter(std::uint32_t first, std::uint32_t end) {
        const Real far = std::numeric_limits<Real>::max();
        Vec3<Real> low{far, far, far}, high{-far, -far, -far};
        Real weakest = far, strengths = 0;
#pragma unroll
        for (int k = 0; k < kBodies; ++k) {
            const std::uint32_t i = min(first + k * 32 + lane(), end - 1);
            self_[k] = placed<kSplit>(in_.tree.bodies, in_.tree.low, i);
            sum_[k] = {};
            const Vec4<Real>& at = self_[k].at;
            low = {min(low.x, at.x), min(low.y, at.y), min(low.z, at.z)};
            high = {max(high.x, at.x), max(high.y, at.y), max(high.z, at.z)};
            if (in_.rule == Rule::kRelative) {
                const Real strength = in_.tree.strength[i];
                weakest = min(weakest, strength);
                strengths += first + k * 32 + lane() < end ? strength : 0;
            }
        }
        low = {warp_min(low.x), warp_min(low.y), warp_min(low.z)};
        high = {-warp_min(-high.x), -warp_min(-high.y), -warp_min(-high.z)};
        box_ = {Real(0.5) * (low + high), Real(0.5) * (high - low)};
        bodies_ = end - first;
        if (in_.rule == Rule::kRelative) {
            strength_ = group_acceleration(warp_min(weakest), warp_sum(strengths) / Real(bodies_),
                                           in_.tree.state->units.mean_strength);
            // Where a body is lost so are all forces: no reason to open every cell for that.
            if (strength_ != strength_) strength_ = far;
        }
    }

    __device__ bool accept(const TreeNode<Real>& node, std::uint32_t cell) const {
        const Vec3<Real> off = outside(box_, xyz(node.centre));
        const Real d2 = dot(off, off);
        if (in_.rule == Rule::kGeometric) return accept_geometric(d2, node.threshold);
        if (!accept_relative(d2, kOrder == 2 ? sqrt(d2) : Real(0), node.threshold, strength_, kOrder)) return false;
        return apart(off, node.extent) || !overlap(box_, in_.tree.lows[cell], in_.tree.highs[cell]);
    }

    /// Four families from the top of the stack, a child per lane. Returns how many wait then.
    __device__ int step(int waiting) {
        const int take = min(waiting, 4), mine = static_cast<int>(lane() / 8);
        waiting -= take;
        const Family from = mine < take ? lists_.stack[waiting + mine] : 0;
        const std::uint32_t cell = (from >> 4) + lane() % 8;
        const bool busy = lane() % 8 < (from & 15);
        TreeNode<Real> node{};
        if (busy) node = in_.tree.nodes[cell];
        const bool whole = busy && accept(node, cell), leaf = busy && !whole && node.count < 0,
                   open = busy && !whole && node.count > 0;
        const unsigned opened = __ballot_sync(~0u, open);
        __syncwarp();  // the stack has been read
        if (open)
            lists_.stack[waiting + __popc(opened & lanes_below())] =
                family(static_cast<std::uint32_t>(node.first), static_cast<std::uint32_t>(node.count));
        waiting += __popc(opened);
        if constexpr (kOrder == 2)
            take_cell(whole, cell);
        else
            with_cells_ += take_source(whole, Body{node.centre}) * bodies_;
        take_leaves(leaf, node.first, -node.count);
        __syncwarp();
        return waiting;
    }

    /// Appends what the lanes have. Returns how many.
    __device__ unsigned take_source(bool valid, const Body& source) {
        const unsigned who = __ballot_sync(~0u, valid), count = __popc(who);
        if (valid) lists_.sources[(head_ + queued_ + __popc(who & lanes_below())) % 64] = source;
        queued_ += count;
        if (queued_ < 32) return count;
        meet_sources(head_, 32);
        head_ ^= 32;
        queued_ -= 32;
        return count;
    }

    __device__ void take_cell(bool valid, std::uint32_t cell) {
        const unsigned who = __ballot_sync(~0u, valid), count = __popc(who);
        if (valid) lists_.cells[(cells_head_ + cells_queued_ + __popc(who & lanes_below())) % 64] = cell;
        with_cells_ += count * bodies_;
        cells_queued_ += count;
        if (cells_queued_ < 32) return;
        meet_cells(cells_head_, 32);
        cells_head_ ^= 32;
        cells_queued_ -= 32;
    }

    /// The bodies of all lanes' leaves one after the other, 32 at a time.
    __device__ void take_leaves(bool leaf, int first, int count) {
        const unsigned leaves = __ballot_sync(~0u, leaf);
        if (leaves == 0) return;
        int total;
        const int start = warp_scan(leaf ? count : 0, total);
        if (leaf) lists_.leaf_base[__popc(leaves & lanes_below())] = first - start;
        __syncwarp();
        for (int base = 0; base < total; base += 32) {
            // Leaves that start among these 32; the last one at or before a lane is the one whose body it takes.
            const bool here = leaf && start >= base && start < base + 32;
            const unsigned starts = __reduce_or_sync(~0u, here ? 1u << (start - base) : 0);
            const int earlier = __popc(__ballot_sync(~0u, leaf && start < base));
            const int owner = earlier + __popc(starts & (2u * lanes_below() + 1)) - 1;
            const int at = base + static_cast<int>(lane());
            Body body{};
            if (at < total) body = placed<kSplit>(in_.tree.bodies, in_.tree.low, lists_.leaf_base[owner] + at);
            take_source(at < total, body);
        }
        with_bodies_ += static_cast<unsigned long long>(total) * bodies_;
        __syncwarp();
    }

    __device__ void meet_sources(unsigned head, unsigned count) {
        __syncwarp();
        const Body* at = lists_.sources + head;
        if (count == 32) {
#pragma unroll 8
            for (int j = 0; j < 32; ++j) meet(at[j]);
        } else {
            for (unsigned j = 0; j < count; ++j) meet(at[j]);
        }
        __syncwarp();
    }
    __device__ void meet(const Body& other) {
#pragma unroll
        for (int k = 0; k < kBodies; ++k) add_pull<kSoftened, kPotential>(sum_[k], self_[k], other, softening2_);
    }

    __device__ void meet_cells(unsigned head, unsigned count) {
        __syncwarp();
        if (lane() < count) {
            const std::uint32_t cell = lists_.cells[head + lane()];
            lists_.centres[lane()] = in_.tree.nodes[cell].centre;
            const Quadrupole<Real> q = in_.tree.quadrupoles[cell];
            lists_.quadrupoles[lane()][0] = {q.xx, q.yy, q.zz, q.xy};
            lists_.quadrupoles[lane()][1] = {q.xz, q.yz, Real(0.5) * q.trace(), 0};
        }
        __syncwarp();
#pragma unroll 2
        for (unsigned j = 0; j < count; ++j) {
            const Vec4<Real> centre = lists_.centres[j];
            const Vec4<Real> q = lists_.quadrupoles[j][0], r = lists_.quadrupoles[j][1];
#pragma unroll
            for (int k = 0; k < kBodies; ++k) meet(sum_[k], self_[k], centre, q, r);
        }
        __syncwarp();
    }
    /// add_monopole() and add_quadrupole() of core/physics/multipole.hpp in one, with fewer operations.
    __device__ void meet(Sum<Real>& sum, const Body& self, const Vec4<Real>& centre, const Vec4<Real>& q,
                         const Vec4<Real>& r) const {
        const auto [dx, dy, dz] = difference(Body{centre}, self);
        const Real distance2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening2_)));
        Real y;
        inverse_cube(distance2, pair_rsqrt<kSoftened>(distance2), Real(1), y);
        const Real qx = fma(q.x, dx, fma(q.w, dy, r.x * dz)), qy = fma(q.w, dx, fma(q.y, dy, r.y * dz)),
                   qz = fma(r.x, dx, fma(r.y, dy, q.z * dz));
        const Real y2 = y * y, y3 = y * y2, y5 = y3 * y2;
        const Real p = fma(qx, dx, fma(qy, dy, qz * dz)) * y2;
        const Real along = fma(fma(Real(2.5), p, -r.z), y5, centre.w * y3);
        sum.x = fma(along, dx, fma(-y5, qx, sum.x));
        sum.y = fma(along, dy, fma(-y5, qy, sum.y));
        sum.z = fma(along, dz, fma(-y5, qz, sum.z));
        if constexpr (kPotential) sum.w = fma(centre.w, y, fma(fma(Real(0.5), p, r.z * Real(-1.0 / 3)), y3, sum.w));
    }

    __device__ void leave(std::uint32_t first, std::uint32_t end) {
        const TreeUnits<Real>& units = in_.tree.state->units;
        const auto a = Real(units.acceleration * in_.G), p = Real(units.potential * in_.G);
#pragma unroll
        for (int k = 0; k < kBodies; ++k) {
            const std::uint32_t i = first + k * 32 + lane();
            if (i >= end) continue;
            const Vec4<Real> sum{sum_[k].x, sum_[k].y, sum_[k].z, sum_[k].w};
            const Vec4<Real> out = finished(sum, self_[k].at, softening2_, Real(1));
            in_.acceleration[in_.tree.order[i]] = {a * out.x, a * out.y, a * out.z, p * out.w};
        }
    }

    const WalkArgs<Real>& in_;
    Lists& lists_;
    const Real softening2_;
    Body self_[kBodies];
    Sum<Real> sum_[kBodies];
    Box<Real> box_;
    Real strength_{};
    unsigned bodies_ = 0;                                                 // of the group
    unsigned head_ = 0, queued_ = 0, cells_head_ = 0, cells_queued_ = 0;  // of the lists, which are rings
    unsigned long long with_bodies_ = 0, with_cells_ = 0;
};

/// As many warps as the device holds at once take groups until none is left.
template <class Real, int kBodies, int kOrder, Softened kSoftened, bool kPotential, Split kSplit>
__global__ void __launch_bounds__(kWalkWarps * 32,
                                  sizeof(Real) == 4 && kBodies <= 2 && kOrder == 1 && kSplit == Split::kNo ? 9 : 1)
    walk_tree(const __grid_constant__ WalkArgs<Real> in) {
    using Walker = Walk<Real, kBodies, kOrder, kSoftened, kPotential, kSplit>;
    __shared__ typename Walker::Lists lists[kWalkWarps];
    Walker walker{in, lists[threadIdx.x / 32]};
    for (;;) {
        std::uint32_t group = 0;
        if (threadIdx.x % 32 == 0) group = atomicAdd(&in.tree.state->next_group, 1u);
        group = __shfl_sync(~0u, group, 0);
        if (group >= in.end) break;
        walker.group(group);
    }
    walker.report();
}

}  // namespace orrery::cuda
