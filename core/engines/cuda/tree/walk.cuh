// SPDX-License-Identifier: MIT
// The tree walk of one group of bodies by a block, all of whose warps hold the bodies of the group in registers.
// Families of cells are popped from a stack, one child per thread, and tested against the group's box. Accepted cells,
// and the bodies of opened leaves, are appended to an interaction list in shared memory, which is distributed over the
// warps.
// The menu of compiled walk kernels.
#pragma once
#include <algorithm>
#include <array>
#include <span>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree/tuning.hpp"
#include "core/engines/cuda/tree/walk_args.cuh"
#include "core/physics/opening.hpp"
#include "core/physics/pair.cuh"

namespace orrery::cuda {

/// A family to be tested: `count` children of a cell, or bodies of a leaf if negative.
struct Family {
    std::uint32_t first;
    std::int32_t count;
};

/// Constants that depend on the number of warps per block.
template <int kWarps>
struct WalkShape {
    static constexpr int threads = 32 * kWarps;
    static constexpr int families = threads / static_cast<int>(kOctet);  // processed per step
    /// Rings have room for pending entries, fewer than one per thread, and for those that a step adds.
    static constexpr unsigned ring = 2 * threads;
    /// A family is replaced by at most eight. Beyond `full` entries only one family is taken per step, so that the
    /// traversal is depth-first and adds at most 7 entries per level.
    static constexpr int full = 512, room = full + 7 * families + 7 * kTreeLevels;
};
constexpr int kOctetsOfWarp = 32 / static_cast<int>(kOctet);

template <class Real, int kOrder, Split kSplit, int kWarps>
struct WalkLists {
    using Shape = WalkShape<kWarps>;
    PointMass<Real, kSplit> sources[Shape::ring];  // bodies, and cells that act as point masses
    Family stack[Shape::room];
};
template <class Real, Split kSplit, int kWarps>
struct WalkLists<Real, 2, kSplit, kWarps> {
    using Shape = WalkShape<kWarps>;
    PointMass<Real, kSplit> sources[Shape::ring];
    Family stack[Shape::room];
    std::uint32_t cells[Shape::ring];
    Vec4<Real> centres[Shape::threads], quadrupoles[Shape::threads][2];  // xx yy zz xy, xz yz half the trace, extent
};

template <class Real, int kBodies, int kOrder, Softened kSoftened, bool kPotential, Split kSplit, int kWarps>
class Walk {
    static constexpr int kThreads = WalkShape<kWarps>::threads, kFamilies = WalkShape<kWarps>::families,
                         kStackFull = WalkShape<kWarps>::full;
    static constexpr unsigned kRing = WalkShape<kWarps>::ring;

public:
    using Body = PointMass<Real, kSplit>;
    struct Shared {
        union {
            WalkLists<Real, kOrder, kSplit, kWarps> lists;
            Vec4<Real> sums[kWarps][kBodies][32];  // of each warp, at the end
        };
        std::uint32_t acting[kPotential ? kRing : 1];  // index of each source, or kNoBody or kOnePlace
        alignas(16) std::uint32_t counts[kWarps];      // entries that each warp adds in a step: three 10-bit numbers
    };

    __device__ Walk(const WalkArgs<Real>& in, Shared& shared)
        : in_{in}, shared_{shared}, lists_{shared.lists}, softening2_{in.tree.state->units.softening2} {}

    /// `neighbours`: positions of the bodies whose accelerations set the error scale; at most as many as a group.
    __device__ void group(BodyRange range, BodyRange neighbours) {
        load_group(range.first, range.end, neighbours);
        int waiting = 1;
        if (threadIdx.x == 0) {
            const TreeNode<Real>& root = in_.tree.nodes[in_.tree.root];  // always opened
            lists_.stack[0] = root.is_leaf() ? Family{in_.tree.root, 1}
                                             : Family{static_cast<std::uint32_t>(root.rest.first), root.rest.count};
        }
        __syncthreads();
        while (waiting > 0) waiting = step(waiting);
        evaluate_rest();
        store_results(range.first, range.end);
    }

private:
    __device__ static unsigned lane() { return threadIdx.x % 32; }
    __device__ static unsigned warp() { return threadIdx.x / 32; }
    __device__ static unsigned this_lane() { return 1u << lane(); }
    __device__ static unsigned lanes_below() { return this_lane() - 1; }

    __device__ std::uint32_t place(std::uint32_t row) const { return in_.due_rows ? in_.due_rows[row] : row; }

    /// Loads bodies into registers; computes the group's box and reference acceleration.
    __device__ void load_group(std::uint32_t first, std::uint32_t end, BodyRange neighbours) {
        GroupEntry<Real> entry;
#pragma unroll
        for (int k = 0; k < kBodies; ++k) {
            const std::uint32_t i = place(min(first + k * 32 + lane(), end - 1));
            self_[k] = point_mass<kSplit>(in_.tree.bodies, in_.tree.low, i);
            self_at_[k] = i;
            sum_[k] = {};
            entry.add(self_[k].at);
            const std::uint32_t other = neighbours.first + k * 32 + lane();
            if (in_.rule == MacKind::kRelative)
                entry.add_norm(in_.tree, min(other, neighbours.end - 1), other < neighbours.end);
        }
        box_ = entry.box();
        bodies_ = end - first;
        if (in_.rule == MacKind::kRelative)
            acceleration_norm_ =
                entry.acceleration(neighbours.end - neighbours.first, in_.tree.state->units.mean_acceleration_norm);
    }

    __device__ bool accept(const Vec4<Real>& centre, Real threshold, Real extent, std::uint32_t cell) const {
        return accepts(in_.tree, in_.rule, kOrder, box_, acceleration_norm_, centre, threshold, extent, cell);
    }

    /// Processes families from the top of the stack, one child or body per thread. Returns the new height of the stack.
    /// Entries are placed by thread number, so sums do not depend on the order in which warps run.
    __device__ int step(int waiting) {
        const int take = waiting <= kStackFull ? min(waiting, kFamilies) : 1;
        unsigned opens = 0, sources = 0, cells = 0;  // lane masks
        std::uint32_t at, acting = kNoBody;
        Body body;
        Family opened;
        if (kOctetsOfWarp * static_cast<int>(warp()) < take) {
            const int mine = static_cast<int>(threadIdx.x / kOctet);
            const auto child = static_cast<std::int32_t>(threadIdx.x % kOctet);
            const Family from = lists_.stack[max(waiting - 1 - mine, 0)];
            const bool of_leaf = from.count < 0, busy = mine < take && child < abs(from.count);
            at = busy ? from.first + static_cast<std::uint32_t>(child) : 0;
            const auto* place = of_leaf ? in_.tree.bodies : reinterpret_cast<const Vec4<Real>*>(in_.tree.nodes);
            place += of_leaf ? at : 2 * at;
            __builtin_assume(__isGlobal(place));
            body = {*place};
            const auto node = *reinterpret_cast<const typename TreeNode<Real>::Rest*>(place + 1);  // unused for a body
            const bool whole = accept(body.at, node.threshold, of_leaf ? Real(0) : node.extent, of_leaf ? 0 : at);
            if constexpr (kSplit == Split::kYes)
                if (of_leaf) body.low = in_.tree.low[at];
            if (of_leaf || !(node.extent > 0)) acting = of_leaf ? at : kOnePlace;
            opened = {static_cast<std::uint32_t>(node.first), node.count};
            if (of_leaf) opened = {at + kOctet, from.count + static_cast<std::int32_t>(kOctet)};  // the remainder
            const bool rest = child == 0 && from.count < -static_cast<std::int32_t>(kOctet);
            const bool cell = busy && !of_leaf && whole;
            opens = __ballot_sync(~0u, busy && (of_leaf ? rest : !whole));
            sources = __ballot_sync(~0u, (busy && of_leaf) || (kOrder == 1 && cell));
            if constexpr (kOrder == 2) cells = __ballot_sync(~0u, cell);
            with_cells_ += cell ? 1 : 0;
        }
        if (lane() == 0)
            shared_.counts[warp()] =
                static_cast<std::uint32_t>(__popc(opens) | __popc(sources) << 10 | __popc(cells) << 20);
        waiting -= take;
        __syncthreads();
        std::uint32_t before = 0, all = 0;
#pragma unroll
        for (unsigned w = 0; w < kWarps; ++w) {
            const std::uint32_t counts = shared_.counts[w];
            before += w < warp() ? counts : 0;
            all += counts;
        }
        if ((opens & this_lane()) != 0)
            lists_.stack[waiting + (before & 1023) + __popc(opens & lanes_below())] = opened;
        if ((sources & this_lane()) != 0) {
            const unsigned to = (head_ + queued_ + (before >> 10 & 1023) + __popc(sources & lanes_below())) % kRing;
            lists_.sources[to] = body;
            if constexpr (kPotential) shared_.acting[to] = acting;
        }
        if constexpr (kOrder == 2) {
            if ((cells & this_lane()) != 0)
                lists_.cells[(cells_head_ + cells_queued_ + (before >> 20) + __popc(cells & lanes_below())) % kRing] =
                    at;
            cells_queued_ += all >> 20;
        }
        waiting += all & 1023;
        queued_ += all >> 10 & 1023;
        with_all_ += all >> 10 & 1023;
        __syncthreads();
        if (queued_ >= kThreads) {
            evaluate_sources(head_ + 32 * warp());
            head_ ^= kThreads;
            queued_ -= kThreads;
        }
        if constexpr (kOrder == 2) {
            if (cells_queued_ >= kThreads) {
                evaluate_cells(cells_head_ + 32 * warp(), 32);
                cells_head_ ^= kThreads;
                cells_queued_ -= kThreads;
            }
        }
        return waiting;
    }

    /// Evaluates the remaining list entries, in nearly equal shares.
    __device__ void evaluate_rest() {
        const auto share = [](unsigned count, unsigned w) { return count * w / kWarps; };
        const unsigned first = share(queued_, warp());
        const unsigned count = share(queued_, warp() + 1) - first;
#pragma unroll 4
        for (unsigned j = 0; j < count; ++j) interact((head_ + first + j) % kRing);
        if constexpr (kOrder == 2) {
            const unsigned cells = share(cells_queued_, warp());
            evaluate_cells((cells_head_ + cells) % kRing, share(cells_queued_, warp() + 1) - cells);
        }
        head_ = queued_ = cells_head_ = cells_queued_ = 0;
    }

    __device__ void evaluate_sources(unsigned first) {
#pragma unroll 8
        for (unsigned j = 0; j < 32; ++j) interact(first + j);
    }
    __device__ void interact(unsigned source) {
        const Body other = lists_.sources[source];
#pragma unroll
        for (int k = 0; k < kBodies; ++k) {
            Real mass = other.at.w;
            if constexpr (kPotential) mass = mass_on_row(other.at, shared_.acting[source], self_[k].at, self_at_[k]);
            add_acceleration<kSoftened, kPotential>(sum_[k], self_[k], other, mass, softening2_);
        }
    }

    /// Evaluates up to 32 cells, by one warp.
    __device__ void evaluate_cells(unsigned head, unsigned count) {
        Vec4<Real>* centres = lists_.centres + 32 * warp();
        Vec4<Real>(*quadrupoles)[2] = lists_.quadrupoles + 32 * warp();
        __syncwarp();
        if (lane() < count) {
            const std::uint32_t cell = lists_.cells[(head + lane()) % kRing];
            centres[lane()] = in_.tree.nodes[cell].centre;
            const Quadrupole<Real> q = in_.tree.quadrupoles[cell];
            quadrupoles[lane()][0] = {q.xx, q.yy, q.zz, q.xy};
            quadrupoles[lane()][1] = {q.xz, q.yz, Real(0.5) * q.trace(), in_.tree.nodes[cell].rest.extent};
        }
        __syncwarp();
#pragma unroll 2
        for (unsigned j = 0; j < count; ++j) {
            const Vec4<Real> centre = centres[j];
            const Vec4<Real> q = quadrupoles[j][0], r = quadrupoles[j][1];
#pragma unroll
            for (int k = 0; k < kBodies; ++k) interact(sum_[k], self_[k], centre, q, r);
        }
        __syncwarp();
    }
    /// add_monopole() and add_quadrupole() of core/physics/multipole.hpp combined, with fewer operations. 1/r⁵ is never
    /// formed: it would leave the range of float at distances below 10⁻⁸ of the system.
    __device__ void interact(Sum<Real>& sum, const Body& self, const Vec4<Real>& centre, const Vec4<Real>& q,
                             const Vec4<Real>& r) const {
        const auto [dx, dy, dz] = difference(Body{centre}, self);
        const Real distance2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening2_)));
        Real y;
        inverse_cube(distance2, pair_rsqrt<kSoftened>(distance2), Real(1), y);
        Real mass = centre.w;
        if constexpr (kPotential)
            if (!(r.w > 0)) mass = mass_on_row(centre, kOnePlace, self.at, kNoBody);
        const Real y2 = y * y, y3 = y * y2;
        const Real qx = y2 * fma(q.x, dx, fma(q.w, dy, r.x * dz)), qy = y2 * fma(q.w, dx, fma(q.y, dy, r.y * dz)),
                   qz = y2 * fma(r.x, dx, fma(r.y, dy, q.z * dz));
        const Real p = fma(qx, dx, fma(qy, dy, qz * dz));
        const Real along = fma(fma(Real(2.5), p, -r.z), y2, mass);
        sum.x = fma(y3, fma(along, dx, -qx), sum.x);
        sum.y = fma(y3, fma(along, dy, -qy), sum.y);
        sum.z = fma(y3, fma(along, dz, -qz), sum.z);
        if constexpr (kPotential) sum.w = fma(mass, y, fma(fma(Real(0.5), p, r.z * Real(-1.0 / 3)), y3, sum.w));
    }

    /// Adds the sums of all warps in order; the first warp writes the accelerations.
    __device__ void store_results(std::uint32_t first, std::uint32_t end) {
        const std::uint32_t cells = sum_of_warp(with_cells_);
        if (lane() == 0) shared_.counts[warp()] = cells;
        __syncthreads();  // all lists have been read
#pragma unroll
        for (int k = 0; k < kBodies; ++k)
            if (warp() > 0) shared_.sums[warp()][k][lane()] = {sum_[k].x, sum_[k].y, sum_[k].z, sum_[k].w};
        __syncthreads();
        if (warp() > 0) return;
        if (lane() == 0 && !in_.due_rows) report();
        const TreeUnits<Real>& units = in_.tree.state->units;
        const auto a = Real(units.acceleration * in_.G), p = Real(units.potential * in_.G);
#pragma unroll
        for (int k = 0; k < kBodies; ++k) {
            Vec4<Real> sum{sum_[k].x, sum_[k].y, sum_[k].z, sum_[k].w};
#pragma unroll
            for (int w = 1; w < kWarps; ++w) {
                const Vec4<Real> more = shared_.sums[w][k][lane()];
                sum = {sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w};
            }
            if (first + k * 32 + lane() >= end) continue;
            const std::uint32_t i = place(first + k * 32 + lane());
            const Vec4<Real> out = finished(sum, Real(1));
            const std::uint32_t body = in_.tree.order[i];
            const Vec4<Real> found{a * out.x, a * out.y, a * out.z, kPotential ? p * out.w : Real(0)};
            in_.acceleration[body] = found;
            if (in_.in_order) in_.in_order[i] = {found.x, found.y, found.z, kPotential ? found.w : as_real<Real>(body)};
        }
    }

    /// Adds the counts of the block's warps, times the group's bodies, to the global counters.
    __device__ void report() const {
        unsigned long long cells = 0;
        for (const std::uint32_t of_warp : shared_.counts) cells += of_warp;
        const unsigned long long bodies = kOrder == 2 ? with_all_ : with_all_ - cells;
        atomicAdd(&in_.tree.state->with_bodies, bodies * bodies_);
        atomicAdd(&in_.tree.state->with_cells, cells * bodies_);
    }

    const WalkArgs<Real>& in_;
    Shared& shared_;
    WalkLists<Real, kOrder, kSplit, kWarps>& lists_;
    const Real softening2_;
    Body self_[kBodies];
    std::uint32_t self_at_[kBodies];  // positions in the tree
    Sum<Real> sum_[kBodies];
    CentredBox<Real> box_;
    Real acceleration_norm_{};
    unsigned bodies_ = 0;                                                 // number of bodies in the group
    unsigned head_ = 0, queued_ = 0, cells_head_ = 0, cells_queued_ = 0;  // of the lists, which are ring buffers
    unsigned with_all_ = 0, with_cells_ = 0;  // sources of the block; cells accepted by this thread
};

template <class Real, int kBodies, int kOrder, Split kSplit>
constexpr int kWarpsAtOnce = walk_warps_at_once(sizeof(Real) == 4, kBodies, kOrder, kSplit == Split::kYes);

/// One block per group; if there are fewer blocks than groups, each processes several.
template <class Real, int kBodies, int kOrder, Softened kSoftened, bool kPotential, Split kSplit, int kWarps>
__global__ void __launch_bounds__(32 * kWarps, std::max(kWarpsAtOnce<Real, kBodies, kOrder, kSplit> / kWarps, 1))
    walk_tree(const __grid_constant__ WalkArgs<Real> in) {
    using Walker = Walk<Real, kBodies, kOrder, kSoftened, kPotential, kSplit, kWarps>;
    __shared__ typename Walker::Shared shared;
    if (!in.tree.state->whole()) return;
    const auto walk = [&](const BodyRange& bodies) {
        if (!in.ranks.mine(bodies.first)) return;
        BodyRange rows = bodies;
        if (in.due_before) rows = {in.due_before[bodies.first], in.due_before[bodies.end]};
        if (rows.first == rows.end) return;
        Walker walker{in, shared};
        walker.group(rows, bodies);
        __syncthreads();  // all sums have been read
    };
    std::uint32_t all;
    const std::uint32_t of_level = groups_of_own_level(in.tree), earlier = warp_scan(of_level, all);
    const std::uint64_t end = all * in.last / in.items;
    for (std::uint64_t turn = all * in.first / in.items + blockIdx.x; turn < end; turn += gridDim.x) {
        std::uint64_t group = turn;
        // Unnecessary with many groups, where it would only cost registers.
        if constexpr (kWarps == kWarpsOfFew) {
            const std::uint32_t outer = all / kOuterShare;
            group = turn < outer ? all - outer + turn : turn - outer;
        }
        walk(group_at(in.tree, group, of_level, earlier));
    }
}

/// One compiled kernel of the family.
template <class Real>
struct WalkVariant {
    int bodies, order;  ///< bodies per lane; a group has up to 32 times as many
    bool softened, potential;
    int warps;  ///< per block
    void (*kernel)(WalkArgs<Real>);
};

/// Variants for all numbers of bodies per lane.
template <class Real, int kOrder, Softened kSoftened, bool kPotential, Split kSplit, int kWarps>
constexpr std::array<WalkVariant<Real>, 3> walks_of_lanes() {
    constexpr bool softened = kSoftened == Softened::kYes;
    return {
        {{1, kOrder, softened, kPotential, kWarps, &walk_tree<Real, 1, kOrder, kSoftened, kPotential, kSplit, kWarps>},
         {2, kOrder, softened, kPotential, kWarps, &walk_tree<Real, 2, kOrder, kSoftened, kPotential, kSplit, kWarps>},
         {4, kOrder, softened, kPotential, kWarps,
          &walk_tree<Real, 4, kOrder, kSoftened, kPotential, kSplit, kWarps>}}};
}

/// The same for both orders, with and without potentials, with few and with many warps.
template <class Real, Softened kSoftened, Split kSplit>
constexpr auto walks_of() {
    std::array<WalkVariant<Real>, 24> menu{};
    auto to = menu.begin();
    const auto add = [&to](const auto& variants) { to = std::copy(variants.begin(), variants.end(), to); };
    add(walks_of_lanes<Real, 1, kSoftened, false, kSplit, kWarpsOfFew>());
    add(walks_of_lanes<Real, 2, kSoftened, false, kSplit, kWarpsOfFew>());
    add(walks_of_lanes<Real, 1, kSoftened, true, kSplit, kWarpsOfFew>());
    add(walks_of_lanes<Real, 2, kSoftened, true, kSplit, kWarpsOfFew>());
    add(walks_of_lanes<Real, 1, kSoftened, false, kSplit, kWarpsOfMany>());
    add(walks_of_lanes<Real, 2, kSoftened, false, kSplit, kWarpsOfMany>());
    add(walks_of_lanes<Real, 1, kSoftened, true, kSplit, kWarpsOfMany>());
    add(walks_of_lanes<Real, 2, kSoftened, true, kSplit, kWarpsOfMany>());
    return menu;
}

/// The same with and without softening.
template <class Real>
std::span<const WalkVariant<Real>> walk_variants() {
    static constexpr auto both = [] {
        constexpr auto with = walks_of<Real, Softened::kYes, Split::kNo>(),
                       without = walks_of<Real, Softened::kNo, Split::kNo>();
        std::array<WalkVariant<Real>, with.size() + without.size()> menu{};
        std::copy(without.begin(), without.end(), std::copy(with.begin(), with.end(), menu.begin()));
        return menu;
    }();
    return both;
}
/// For split positions, with or without softening.
template <class Real>
std::span<const WalkVariant<Real>> split_walk_variants() {
    static constexpr auto menu = walks_of<Real, Softened::kNo, Split::kYes>();
    return menu;
}

// core/CMakeLists.txt compiles each in its own unit.
extern template std::span<const WalkVariant<float>> walk_variants<float>();
extern template std::span<const WalkVariant<double>> walk_variants<double>();
extern template std::span<const WalkVariant<float>> split_walk_variants<float>();

/// The variant for groups of this size; `split`: positions have low parts.
template <class Real>
const WalkVariant<Real>& walk_for(std::uint64_t bodies, int group, int order, bool softened, bool potential,
                                  bool split) {
    auto variants = walk_variants<Real>();
    if constexpr (std::is_same_v<Real, float>)
        if (split) variants = split_walk_variants<float>();
    const int wanted = (group + 31) / 32, warps = bodies < kManyBodies ? kWarpsOfFew : kWarpsOfMany;
    return *std::ranges::find_if(variants, [&](const WalkVariant<Real>& v) {
        return v.bodies >= wanted && v.bodies < 2 * wanted && v.order == order && (split || v.softened == softened) &&
               v.potential == potential && v.warps == warps;
    });
}

}  // namespace orrery::cuda
