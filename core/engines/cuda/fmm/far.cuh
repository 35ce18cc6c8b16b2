// SPDX-License-Identifier: MIT
#pragma once
// The far field. First, clusters of some hundred bodies walk the tree: cells that are far from the whole cluster act
// through its local expansion (M2L). Nearer cells are passed on to its groups of up to a warp of bodies, which test
// them and their children by the same criterion. The remaining cells go into near lists, for direct summation. A target
// has a warp, or, if there are few, a block.
#include <array>
#include <cstddef>
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

template <class Real, int P, bool kPotential>
class FarWalk {
    using Order = Expansions<Real, P>;
    static constexpr int kOctets = 32 / static_cast<int>(kOctet);
    /// Each lane examines a cell of two families at a time: while one is loaded, so is the other.
    static constexpr int kFamilies = 2 * kOctets;
    /// Beyond kFull entries only one family is taken at a time, so that the traversal is depth-first and adds at most 7
    /// entries per level.
    static constexpr int kFull = 128, kRoom = kFull + 7 * kFamilies + 7 * kTreeLevels;
    static constexpr unsigned kRing = 128;  // for fewer than 32 cells that wait and those of kFamilies
    /// Warps that share a target share out what is on their stacks after so many steps, or when one has no more work,
    /// unless each has enough.
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
        Family stack[kTeam][kRoom];
        Family other[kTeam][kRoom];  // only if the warps share a target
    };
    static constexpr std::size_t shared_bytes(bool together) {
        return together ? sizeof(Shared) : offsetof(Shared, other);
    }

    __device__ FarWalk(const FmmArgs<Real>& in, Shared& shared)
        : in_{in},
          all_{shared},
          shared_{shared.of_warp[warp()]},
          stack_{shared.stack[warp()]},
          softening2_{in.tree.state->units.softening2} {}

    /// The far field of a cluster, and the cells that it leaves to its groups.
    __device__ void cluster(std::uint64_t cluster) {
        list_ = in_.left + cluster * kMostLeft + member() * most_kept();
        enter(in_.clusters[cluster].bodies, false);
        walk(&in_.tree.root, nullptr);
        fold();
        std::uint32_t* const count = in_.left_count + cluster * kTeam;
        if (lane() == 0) {
            count[member()] = kept_;
            for (unsigned w = 1; !in_.together && w < kTeam; ++w) count[w] = 0;
            atomicAdd(&in_.state->with_cells, static_cast<unsigned long long>(expansions_));
        }
        join();
        if (member() > 0) return;
        bool whole = true;
        for (unsigned w = 0; w < members(); ++w) whole = whole && count[w] <= most_kept();
        __syncwarp();
        if (!whole && lane() < kTeam) count[lane()] = lane() == 0 ? 1 : 0;
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
        if (lane() == 0) {
            to[member()] = {last_, kept_ > 0 ? kept_ : last_ == kNoChunk ? 0 : NearChunk::kEntries, expansions_};
            for (unsigned w = 1; !in_.together && w < kTeam; ++w) to[w] = {kNoChunk, 0, 0};
        }
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
    /// Number of this warp among those that share the target, and how many these are.
    __device__ unsigned member() const { return in_.together ? warp() : 0; }
    __device__ unsigned members() const { return in_.together ? kTeam : 1; }
    /// Maximum number of cells that this warp passes on to the groups of its cluster.
    __device__ std::uint32_t most_kept() const { return kMostLeft / members(); }

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

    /// Walks from the cells that a cluster has kept, in the lists of its warps, or, without `counts`, from one cell.
    __device__ void walk(const std::uint32_t* cells, const std::uint32_t* counts) {
        const std::uint32_t kept[kTeam] = {counts ? counts[0] : 1, counts ? counts[1] : 0, counts ? counts[2] : 0,
                                           counts ? counts[3] : 0};
        const std::uint32_t count = kept[0] + kept[1] + kept[2] + kept[3];
        const auto listed = [&](std::uint32_t at) {
            std::uint32_t list = 0;
            for (unsigned w = 0; w + 1 < kTeam && at >= kept[w]; ++w) at -= kept[w], list += kMostLeft / kTeam;
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
#pragma unroll
                    for (int k = 0; k < 2; ++k) {
                        const int mine = static_cast<int>(lane() / kOctet) + k * kOctets;
                        const Family from = stack_[max(waiting - 1 - mine, 0)];
                        const std::uint32_t child = lane() % kOctet;
                        two[k] = fetch((from.first & ~kOneByOne) + child, mine < take && child < from.count,
                                       (from.first & kOneByOne) != 0);
                    }
                    waiting -= take;
                } else {
#pragma unroll
                    for (unsigned k = 0; k < 2; ++k) {
                        const std::uint32_t at = next + 32 * members() * k + lane();
                        two[k] = fetch(at < count ? listed(at) : 0, at < count, false);
                    }
                    next += 64 * members();
                }
#pragma unroll
                for (const Cell& cell : two)
                    if (__any_sync(~0u, cell.busy)) waiting = test(cell, waiting);
            }
            over = waiting == 0 && next >= count;
            if (in_.together && (!works || ++steps == kRound)) {
                waiting = share_out(waiting, next < count, over);
                steps = 0;
            } else if (in_.together) {
                over = false;
            }
            while (queued_ >= 32 || (over && queued_ > 0)) {
                const unsigned ready = min(queued_, 32u);
                evaluate(ready);
                head_ = (head_ + ready) % kRing;
                queued_ -= ready;
            }
        }
    }

    /// For all warps that share a target: gives each the same share of the families on all stacks; returns their
    /// number. Sets `over` if no warp has any, nor any more cells of its list.
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
        if (!uneven || all == 0) return waiting;
        Family* const to = stack_ == all_.stack[warp()] ? all_.other[warp()] : all_.stack[warp()];
        const bool in_other = stack_ != all_.stack[warp()];  // in all warps
        const int own = (all - static_cast<int>(warp()) + static_cast<int>(kTeam) - 1) / static_cast<int>(kTeam);
        for (int k = static_cast<int>(lane()); k < own; k += 32) {
            int at = k * static_cast<int>(kTeam) + static_cast<int>(warp());
            unsigned w = 0;
            while (w + 1 < kTeam && at >= counts[w]) at -= counts[w++];
            to[k] = in_other ? all_.other[w][at] : all_.stack[w][at];
        }
        stack_ = to;
        __syncwarp();
        return own;
    }

    /// Waits for all warps that share the target, and adds up their local expansions.
    __device__ void join() {
        if (!in_.together) return __syncwarp();
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
            if (mine && at < most_kept()) list_[at] = entry;
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
    unsigned head_ = 0, queued_ = 0, expansions_ = 0, turn_ = 0;
    std::uint32_t kept_ = 0, last_ = kNoChunk;
    std::uint32_t* list_ = nullptr;  // of cells that a cluster passes on
};

template <class Real, int P>
constexpr int kFarBlocks = far_blocks_at_once(sizeof(Real) == 4, P);

/// Number of the target of this warp or block in [first, last). If blocks share targets there are few, and those of the
/// outermost halo, which have the longest walks, come first.
template <class Real>
__device__ std::uint64_t far_target(const FmmArgs<Real>& in) {
    return in.together ? in.last - 1 - blockIdx.x : in.first + blockIdx.x * kTeam + threadIdx.x / 32;
}

template <class Real, int P, bool kPotential>
__global__ void __launch_bounds__(32 * kTeam, kFarBlocks<Real, P>)
    walk_clusters(const __grid_constant__ FmmArgs<Real> in) {
    using Walk = FarWalk<Real, P, kPotential>;
    extern __shared__ uint4 memory[];
    if (const std::uint64_t cluster = far_target(in); cluster < in.last)
        Walk{in, *reinterpret_cast<typename Walk::Shared*>(memory)}.cluster(cluster);
}

template <class Real, int P, bool kPotential>
__global__ void __launch_bounds__(32 * kTeam, kFarBlocks<Real, P>)
    walk_groups(const __grid_constant__ FmmArgs<Real> in) {
    using Walk = FarWalk<Real, P, kPotential>;
    extern __shared__ uint4 memory[];
    if (const std::uint64_t group = far_target(in); group < in.last)
        Walk{in, *reinterpret_cast<typename Walk::Shared*>(memory)}.group(group);
}

template <class Real, int P, bool kPotential>
constexpr FarVariant<Real> far_variant() {
    using Walk = FarWalk<Real, P, kPotential>;
    return {P,
            kPotential,
            &walk_clusters<Real, P, kPotential>,
            &walk_groups<Real, P, kPotential>,
            {Walk::shared_bytes(false), Walk::shared_bytes(true)}};
}
template <class Real>
std::span<const FarVariant<Real>> far_variants() {
    static constexpr std::array menu{far_variant<Real, 3, false>(), far_variant<Real, 4, false>(),
                                     far_variant<Real, 5, false>(), far_variant<Real, 6, false>(),
                                     far_variant<Real, 3, true>(),  far_variant<Real, 4, true>(),
                                     far_variant<Real, 5, true>(),  far_variant<Real, 6, true>()};
    return menu;
}

}  // namespace orrery::cuda
