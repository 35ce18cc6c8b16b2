// SPDX-License-Identifier: MIT
#pragma once
// The far field. First, clusters of some hundred bodies walk the tree: cells that are far from the whole cluster act
// through its local expansion (M2L). Nearer cells are passed on to its groups of up to a warp of bodies, which test
// them and their children by the same criterion. The remaining cells go into near lists, for direct summation. A target
// has a warp, or, if there are few, a block.
#include <algorithm>
#include <array>
#include <span>

#include "core/engines/cuda/fmm/data.cuh"
#include "core/engines/cuda/fmm/expansions.cuh"
#include "core/engines/cuda/fmm/tuning.hpp"
#include "core/engines/cuda/tree/walk_args.cuh"
#include "core/physics/pair.cuh"

namespace orrery::cuda {

/// 1/√x to almost full precision.
__device__ __forceinline__ float inverse_root(float x) { return fast_rsqrt(x); }
__device__ __forceinline__ double inverse_root(double x) { return rsqrt(x); }

template <int kPower, class Real>
__device__ __forceinline__ Real to_power(Real x) {
    if constexpr (kPower == 1)
        return x;
    else if constexpr (kPower % 2 == 0)
        return to_power<kPower / 2>(x * x);
    else
        return x * to_power<kPower / 2>(x * x);
}

/// Adds 2·kStep numbers over as many lanes; the first then holds the sum with the lane's own index.
template <int kStep, class Real>
__device__ __forceinline__ void fold_lanes(Real* v) {
    const bool upper = (threadIdx.x & static_cast<unsigned>(kStep)) != 0;
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
        const Real given = upper ? v[i] : v[i + kStep], kept = upper ? v[i + kStep] : v[i];
        v[i] = kept + __shfl_xor_sync(~0u, given, kStep);
    }
    if constexpr (kStep > 1) fold_lanes<kStep / 2>(v);
}

/// The walk of a target, by one warp or, with kTogether, by all warps of a block.
template <class Real, int P, bool kPotential, bool kTogether>
class FarWalk {
    using Order = Expansions<Real, P>;
    static constexpr int kOctets = 32 / static_cast<int>(kOctet);
    /// Families examined at a time. Where few warps hide each other's latency, a lane loads the cells of two.
    static constexpr int kFamilies = kTogether ? 2 * kOctets : kOctets;
    /// Beyond kFull entries only one family is taken at a time, so that the traversal is depth-first and adds at most 7
    /// entries per level.
    static constexpr int kFull = 128, kRoom = kFull + 7 * kFamilies + 7 * kTreeLevels;
    static constexpr unsigned kRing = kTogether ? 128 : 64;  // for fewer than 32 cells that wait and those of kFamilies
    static constexpr unsigned kMembers = kTogether ? kTeam : 1;  // warps that share a target
    /// Maximum number of cells that a warp passes on to the groups of its cluster.
    static constexpr std::uint32_t kMostKept = kMostLeft / kMembers;
    /// Warps that share a target share out the families on their stacks after this number of steps, unless each has
    /// enough of them.
    static constexpr int kRound = 8, kEnough = 2 * kFamilies;
    /// Flag: the cells of this family and their descendants must not act through expansions; see test().
    static constexpr std::uint32_t kOneByOne = 1u << 31;
    /// Cells larger than this fraction of a cluster's radius are opened for the cluster; smaller ones are left to its
    /// groups.
    static constexpr Real kLeave = Real(0.7);
    /// A target is too wide for a cell if it is not well separated from it and the cell's radius is at most this
    /// fraction of the target's: the cell's children would not be well separated either.
    static constexpr Real kWide = Real(0.5);
    static constexpr int kPadded = (Order::kTerms + 31) / 32 * 32;

public:
    /// Size of a cluster's local expansion: its terms, then its centre.
    static constexpr int kLocals = Order::kTerms + 3;
    struct Family {
        std::uint32_t first, count;
    };
    struct OfWarp {
        std::uint32_t ring[kRing];  // cells that act through their expansions
        std::uint32_t found[NearChunk::kEntries + 32];
        Real terms[kPadded];  // what the warp adds to a local expansion
    };
    struct Shared {
        OfWarp of_warp[kTeam];
        int waiting[2][kTeam];
        Family stacks[kTogether ? 2 : 1][kTeam][kRoom];  // share_out() moves families from one to the other
    };

    __device__ FarWalk(const FmmArgs<Real>& in, Shared& shared)
        : in_{in},
          all_{shared},
          shared_{shared.of_warp[warp()]},
          stack_{shared.stacks[0][warp()]},
          softening2_{in.tree.state->units.softening2} {}

    /// The far field of a cluster, and the cells that it leaves to its groups.
    __device__ void cluster(std::uint64_t cluster) {
        list_ = in_.left + cluster * kMostLeft + member() * kMostKept;
        enter(in_.clusters[cluster].bodies, false);
        walk(&in_.tree.root, nullptr);
        fold();
        std::uint32_t* const count = in_.left_count + cluster * kTeam;
        if (lane() == 0) {
            count[member()] = kept_;
            atomicAdd(&in_.state->with_cells, static_cast<unsigned long long>(expansions_));
        }
        join();
        if (member() > 0) return;
        bool whole = true;
        for (unsigned w = 0; w < kMembers; ++w) whole = whole && count[w] <= kMostKept;
        __syncwarp();
        if (!whole && lane() < kMembers) count[lane()] = lane() == 0 ? 1 : 0;
        if (!whole && lane() == 0) *list_ = in_.tree.root;
        Real* const to = in_.cluster_locals + cluster * kLocals;
        for (int k = static_cast<int>(lane()); k < Order::kTerms; k += 32) to[k] = whole ? shared_.terms[k] : Real(0);
        if (lane() == 0) {
            to[Order::kTerms] = box_.middle.x, to[Order::kTerms + 1] = box_.middle.y;
            to[Order::kTerms + 2] = box_.middle.z;
        }
    }

    /// The near list of a group, and the field of everything that is far from the group or its cluster.
    __device__ void group(std::uint64_t group) {
        const TreeGroup of = in_.groups[group];
        enter(of.bodies, true);
        walk(in_.left + std::uint64_t{of.cluster} * kMostLeft, in_.left_count + std::uint64_t{of.cluster} * kTeam);
        if (kept_ > 0) flush_chunk(kept_);
        NearChain* const to = in_.near[group].of_warp;
        if (lane() == 0)
            to[member()] = {last_, kept_ > 0 ? kept_ : last_ == kNoChunk ? 0 : NearChunk::kEntries, expansions_};
        fold();
        join();
        if (member() > 0) return;
        const Real* const of_cluster = in_.cluster_locals + std::uint64_t{of.cluster} * kLocals;
        const Vec3<Real> middle{of_cluster[Order::kTerms], of_cluster[Order::kTerms + 1],
                                of_cluster[Order::kTerms + 2]};
        for (std::uint32_t i = of.bodies.first + lane(); i < of.bodies.end; i += 32) {
            const Vec3<Real> at = xyz(in_.tree.bodies[i]);
            Vec4<Real> sum{};
            Order::template add_at<kPotential>(sum, shared_.terms, Real(kZoom) * (at - box_.middle));
            Order::template add_at<kPotential>(sum, of_cluster, Real(kZoom) * (at - middle));
            constexpr Real kZoom2 = Real(kZoom) * Real(kZoom);
            in_.far[i] = {kZoom2 * sum.x, kZoom2 * sum.y, kZoom2 * sum.z, Real(kZoom) * sum.w};
        }
    }

private:
    __device__ static unsigned lane() { return threadIdx.x % 32; }
    __device__ static unsigned warp() { return threadIdx.x / 32; }
    __device__ static unsigned lanes_below() { return (1u << lane()) - 1; }
    __device__ static unsigned before(unsigned lanes) { return static_cast<unsigned>(__popc(lanes & lanes_below())); }
    /// Number of this warp among those that share the target.
    __device__ static unsigned member() { return kTogether ? warp() : 0; }

    /// Begins a target.
    __device__ void enter(BodyRange bodies, bool group) {
        group_ = group;
        GroupEntry<Real> entry;
        for (std::uint32_t i = bodies.first + lane(); i < bodies.end; i += 32) {
            entry.add(in_.tree.bodies[i]);
            if (in_.rule == MacKind::kRelative) entry.add_norm(in_.tree, i, true);
        }
        box_ = entry.box();
        for (std::uint32_t i = bodies.first + lane(); i < bodies.end; i += 32) {
            const Vec3<Real> off = xyz(in_.tree.bodies[i]) - box_.middle;
            radius_ = max(radius_, dot(off, off));
        }
        radius_ = sqrt(-warp_min(-radius_)) + in_.blur;
        if (in_.rule == MacKind::kRelative) {
            acceleration_ = entry.acceleration(bodies.end - bodies.first, in_.tree.state->units.mean_acceleration_norm);
            limit_ = in_.alpha * acceleration_;
        }
    }

    /// A cell that this lane examines.
    struct Cell {
        TreeNode<Real> node;
        CellReach<Real> reach;
        std::uint32_t number;
        bool busy, alone;
    };
    __device__ Cell fetch(std::uint32_t number, bool busy, bool alone) const {
        number = busy ? number : 0;
        return {in_.tree.nodes[number], in_.reach[number], number, busy, alone};
    }

    /// This lane's cell of the `take` families on top of the stack, after skipping some.
    __device__ Cell fetch_child(int waiting, int take, int skipped) const {
        const int mine = static_cast<int>(lane() / kOctet) + skipped;
        const Family from = stack_[max(waiting - 1 - mine, 0)];
        const std::uint32_t child = lane() % kOctet;
        return fetch((from.first & ~kOneByOne) + child, mine < take && child < from.count,
                     (from.first & kOneByOne) != 0);
    }

    /// Walks from the cells that a cluster has kept, in the lists of its warps, or, without `counts`, from one cell.
    __device__ void walk(const std::uint32_t* cells, const std::uint32_t* counts) {
        if constexpr (kTogether)
            walk_together(cells, counts);
        else
            walk_alone(cells, counts ? *counts : 1);
    }

    __device__ void walk_alone(const std::uint32_t* cells, std::uint32_t count) {
        int waiting = 0;
        for (std::uint32_t next = 0; next < count || waiting > 0;) {
            Cell cell;
            if (waiting > 0) {
                const int take = waiting <= kFull ? min(waiting, kFamilies) : 1;
                cell = fetch_child(waiting, take, 0);
                waiting -= take;
            } else {
                const std::uint32_t at = next + lane();
                cell = fetch(at < count ? cells[at] : 0, at < count, false);
                next += 32;
            }
            waiting = test(cell, waiting);
            if (queued_ >= 32) {
                evaluate(32);
                head_ ^= 32;
                queued_ -= 32;
            }
        }
        if (queued_ > 0) evaluate(queued_);
    }

    __device__ void walk_together(const std::uint32_t* cells, const std::uint32_t* counts) {
        std::uint32_t kept[kTeam], count = 0;
#pragma unroll
        for (unsigned w = 0; w < kTeam; ++w) count += kept[w] = counts ? counts[w] : w == 0 ? 1 : 0;
        const auto listed = [&](std::uint32_t at) {
            std::uint32_t list = 0;
#pragma unroll
            for (unsigned w = 0; w + 1 < kTeam; ++w) {
                if (at < kept[w]) break;
                at -= kept[w], list += kMostKept;
            }
            return cells[list + at];
        };
        int waiting = 0, steps = 0;
        std::uint32_t next = 32 * member();
        for (bool over = false; !over;) {
            const bool works = waiting > 0 || next < count;
            if (works) {
                Cell two[2];
                if (waiting > 0) {
                    const int take = waiting <= kFull ? min(waiting, kFamilies) : 1;
                    two[0] = fetch_child(waiting, take, 0);
                    two[1] = fetch_child(waiting, take, kOctets);
                    waiting -= take;
                } else {
#pragma unroll
                    for (unsigned k = 0; k < 2; ++k) {
                        const std::uint32_t at = next + 32 * kTeam * k + lane();
                        two[k] = fetch(at < count ? listed(at) : 0, at < count, false);
                    }
                    next += 64 * kTeam;
                }
#pragma unroll
                for (const Cell& cell : two)
                    if (__any_sync(~0u, cell.busy)) waiting = test(cell, waiting);
            }
            if (!works || ++steps == kRound) {
                waiting = share_out(waiting, next < count, over);
                steps = 0;
            }
            while (queued_ >= 32 || (over && queued_ > 0)) {
                const unsigned ready = min(queued_, 32u);
                evaluate(ready);
                head_ = (head_ + ready) % kRing;
                queued_ -= ready;
            }
        }
    }

    /// For all warps that share a target: divides the families on all stacks evenly; returns the number of this warp's.
    /// Sets `over` if there are none, and no more cells in the lists.
    __device__ int share_out(int waiting, bool more, bool& over) {
        constexpr int kMore = 1 << 30;
        turn_ ^= 1;
        if (lane() == 0) all_.waiting[turn_][warp()] = more ? waiting | kMore : waiting;
        __syncthreads();
        int counts[kTeam], all = 0;
        bool none = true, uneven = false;
#pragma unroll
        for (unsigned w = 0; w < kTeam; ++w) {
            const int there = all_.waiting[turn_][w];
            counts[w] = there & ~kMore;
            all += counts[w];
            none = none && there == 0;
            uneven = uneven || there < kEnough;
        }
        over = none;
        if (!uneven || all == 0 || all > static_cast<int>(kTeam) * kFull) return waiting;  // no share exceeds kFull
        const auto& from = all_.stacks[stacks_];
        stacks_ ^= 1;  // in all warps
        Family* const to = all_.stacks[stacks_][warp()];
        const int own = (all - static_cast<int>(warp()) + static_cast<int>(kTeam) - 1) / static_cast<int>(kTeam);
        for (int k = static_cast<int>(lane()); k < own; k += 32) {
            int at = k * static_cast<int>(kTeam) + static_cast<int>(warp());
            unsigned w = 0;
            while (w + 1 < kTeam && at >= counts[w]) at -= counts[w++];
            to[k] = from[w][at];
        }
        stack_ = to;
        __syncwarp();
        return own;
    }

    /// Waits for all warps that share the target, and adds up their local expansions.
    __device__ void join() {
        if constexpr (!kTogether) return __syncwarp();
        __syncthreads();
        for (int k = static_cast<int>(lane()); member() == 0 && k < Order::kTerms; k += 32)
            for (unsigned w = 1; w < kTeam; ++w) shared_.terms[k] += all_.of_warp[w].terms[k];
        __syncwarp();
    }

    /// Tests one cell per lane: it acts through its expansion, is listed, or is replaced by its children. With R² = r²
    /// + ε² it acts on a target if (ρ + ρ')/R ≤ θ and, for the relative criterion, M' ((σ' + ρ)/R)^P/R² ≤ α a, where ρ
    /// is a radius, σ' the cell's spread and M' its mass: the error of Dehnen (2014, Comput. Astrophys. Cosmol. 1, 1,
    /// eq. 11) with the spread in place of multipole powers. If ρ alone violates the criterion, all parts of the cell
    /// together would violate it, because their errors have the same direction. A group then treats them as point
    /// masses, by the criterion of the tree; it also does so if it is too wide for any part to be well separated from
    /// it, as are groups in the outermost halo.
    __device__ int test(const Cell& of, int waiting) {
        const TreeNode<Real>& node = of.node;
        const CellReach<Real>& reach = of.reach;
        const std::uint32_t cell = of.number;
        bool alone = of.alone;
        const Vec3<Real> d = box_.middle - xyz(node.centre);
        const Real inverse = fast_rsqrt(dot(d, d) + softening2_), field = node.centre.w * inverse * inverse;
        const bool busy = of.busy && node.centre.w != 0;
        const Real theta = group_ ? in_.theta : in_.cluster_theta;
        const Real radii = reach.radius + radius_;
        bool apart_from = radii * inverse <= theta && inverse <= Real(kZoom) * kMostInverse<Real>;
        // With a large ε the expansion of the target's own bodies would also converge, but include their own
        // potentials.
        if (apart_from && dot(d, d) <= Real(1.01) * radii * radii)
            apart_from = !overlap(box_, in_.tree.lows[cell], in_.tree.highs[cell]);
        const bool relative = in_.rule == MacKind::kRelative;
        const bool small = !relative || field * to_power<P>((reach.spread + radius_) * inverse) <= limit_;
        const bool too_wide =
            in_.masses && (apart_from ? relative && !(field * to_power<P>(radius_ * inverse) <= limit_)
                                      : reach.radius <= kWide * radius_);
        const bool acts = busy && !alone && apart_from && small;
        bool keeps = node.is_leaf();
        std::uint32_t entry = cell;
        if (group_) {
            alone = alone || too_wide;
            if (alone && accepts(in_.tree, in_.rule, 1, box_, acceleration_, node.centre, node.rest.threshold,
                                 node.rest.extent, cell))
                keeps = true, entry |= kAsMass;
        } else {
            keeps = keeps || too_wide || (!apart_from && reach.radius <= kLeave * radius_);
        }
        keeps = keeps && busy && !acts;
        __syncwarp();  // the stack has been read
        const unsigned opened = __ballot_sync(~0u, busy && !acts && !keeps);
        if ((opened >> lane() & 1) != 0)
            stack_[static_cast<unsigned>(waiting) + before(opened)] = {
                static_cast<std::uint32_t>(node.rest.first) | (alone ? kOneByOne : 0),
                static_cast<std::uint32_t>(node.rest.count)};
        const unsigned acting = __ballot_sync(~0u, acts);
        if (acts) shared_.ring[(head_ + queued_ + before(acting)) % kRing] = cell;
        queued_ += static_cast<unsigned>(__popc(acting));
        if (const unsigned kept = __ballot_sync(~0u, keeps); kept != 0) keep(entry, kept);
        __syncwarp();
        return waiting + __popc(opened);
    }

    __device__ void keep(std::uint32_t entry, unsigned lanes) {
        const bool mine = (lanes >> lane() & 1) != 0;
        const std::uint32_t at = kept_ + before(lanes);
        kept_ += static_cast<std::uint32_t>(__popc(lanes));
        if (!group_) {
            if (mine && at < kMostKept) list_[at] = entry;
            return;
        }
        if (mine) shared_.found[at] = entry;
        __syncwarp();
        if (kept_ < NearChunk::kEntries) return;
        flush_chunk(NearChunk::kEntries);
        kept_ -= NearChunk::kEntries;
        const std::uint32_t rest = lane() < kept_ ? shared_.found[NearChunk::kEntries + lane()] : 0;
        __syncwarp();
        if (lane() < kept_) shared_.found[lane()] = rest;
    }
    __device__ void flush_chunk(std::uint32_t count) {
        std::uint32_t chunk = 0;
        if (lane() == 0) chunk = atomicAdd(&in_.state->chunks, 1u);
        chunk = __shfl_sync(~0u, chunk, 0);
        if (chunk >= in_.chunks_room) return;
        __syncwarp();
        for (std::uint32_t k = lane(); k < count; k += 32) in_.chunks[chunk].cells[k] = shared_.found[k];
        if (lane() == 0) in_.chunks[chunk].before = last_;
        last_ = chunk;
    }

    /// Evaluates the first `count` cells of the ring, one per lane.
    __device__ void evaluate(unsigned count) {
        const std::uint32_t cell = shared_.ring[(head_ + (lane() < count ? lane() : 0)) % kRing];
        const Vec4<Real> centre = in_.tree.nodes[cell].centre;
        const Vec3<Real> d = Real(kZoom) * (box_.middle - xyz(centre));
        const Real inverse = inverse_root(dot(d, d) + Real(kZoom) * Real(kZoom) * softening2_);
        Real moments[Order::kMoments], derivatives[Order::kTerms];
        load(cell, moments);
        moments[0] = centre.w;
        Order::derivatives(d, lane() < count ? inverse : Real(0), derivatives);
        Order::template add_field<kPotential>(locals_, moments, derivatives);
        expansions_ += count;
    }
    __device__ void load(std::uint32_t cell, Real (&moments)[Order::kMoments]) const {
        const auto* from = reinterpret_cast<const Vec4<Real>*>(in_.moments + std::uint64_t{cell} * Order::kStored);
        for_terms<0, Order::kStored / 4>([&]<int kI>() {
            const Vec4<Real> four = from[kI];
            const Real each[4] = {four.x, four.y, four.z, four.w};
            for_terms<0, 4>([&]<int kJ>() {
                if constexpr (4 * kI + kJ + 1 < Order::kMoments) moments[4 * kI + kJ + 1] = each[kJ];
            });
        });
    }

    /// Adds the local expansions of all lanes.
    __device__ void fold() {
        for_terms<0, (Order::kTerms + 31) / 32>([&]<int kRound>() {
            Real v[32];
            for_terms<0, 32>([&]<int kI>() {
                if constexpr (32 * kRound + kI < Order::kTerms)
                    v[kI] = locals_[32 * kRound + kI];
                else
                    v[kI] = 0;
            });
            fold_lanes<16>(v);
            shared_.terms[32 * kRound + static_cast<int>(lane())] = v[0];
        });
        __syncwarp();
    }
    const FmmArgs<Real>& in_;
    Shared& all_;
    OfWarp& shared_;
    Family* stack_;
    const Real softening2_;
    bool group_ = false;
    CentredBox<Real> box_{};
    Real radius_{}, acceleration_{}, limit_{};
    Real locals_[Order::kTerms]{};
    unsigned head_ = 0, queued_ = 0, expansions_ = 0;
    unsigned turn_ = 0, stacks_ = 0;  // of share_out()
    std::uint32_t kept_ = 0, last_ = kNoChunk;
    std::uint32_t* list_ = nullptr;  // of cells that a cluster passes on
};

template <class Real, int P>
constexpr int kFarBlocks = far_blocks_at_once(sizeof(Real) == 4, P);

/// Number of the target of this warp or block, from in.first to in.last − 1. If blocks share targets there are few, and
/// those of the outermost halo, which have the longest walks, come first.
template <bool kTogether, class Real>
__device__ std::uint64_t far_target(const FmmArgs<Real>& in) {
    return kTogether ? in.last - 1 - blockIdx.x : in.first + blockIdx.x * kTeam + threadIdx.x / 32;
}

template <class Real, int P, bool kPotential, bool kTogether>
__global__ void __launch_bounds__(32 * kTeam, kFarBlocks<Real, P>)
    walk_clusters(const __grid_constant__ FmmArgs<Real> in) {
    using Walk = FarWalk<Real, P, kPotential, kTogether>;
    __shared__ typename Walk::Shared shared;
    const std::uint64_t cluster = far_target<kTogether>(in);
    if (cluster < in.last && belongs_here(in, in.clusters[cluster])) Walk{in, shared}.cluster(cluster);
}

template <class Real, int P, bool kPotential, bool kTogether>
__global__ void __launch_bounds__(32 * kTeam, kFarBlocks<Real, P>)
    walk_groups(const __grid_constant__ FmmArgs<Real> in) {
    using Walk = FarWalk<Real, P, kPotential, kTogether>;
    __shared__ typename Walk::Shared shared;
    const std::uint64_t group = far_target<kTogether>(in);
    if (group < in.last && belongs_here(in, in.groups[group])) Walk{in, shared}.group(group);
}

template <class Real, int P, bool kPotential, bool kTogether>
constexpr FarVariant<Real> far_variant() {
    return {P, kPotential, kTogether, &walk_clusters<Real, P, kPotential, kTogether>,
            &walk_groups<Real, P, kPotential, kTogether>};
}
template <class Real, bool kPotential, bool kTogether>
constexpr std::array<FarVariant<Real>, 4> far_variants_of() {
    return {far_variant<Real, 3, kPotential, kTogether>(), far_variant<Real, 4, kPotential, kTogether>(),
            far_variant<Real, 5, kPotential, kTogether>(), far_variant<Real, 6, kPotential, kTogether>()};
}
template <class Real>
std::span<const FarVariant<Real>> far_variants() {
    static constexpr auto menu = [] {
        std::array<FarVariant<Real>, 16> all{};
        auto to = all.begin();
        for (const auto& four : {far_variants_of<Real, false, false>(), far_variants_of<Real, false, true>(),
                                 far_variants_of<Real, true, false>(), far_variants_of<Real, true, true>()})
            to = std::copy(four.begin(), four.end(), to);
        return all;
    }();
    return menu;
}

}  // namespace orrery::cuda
