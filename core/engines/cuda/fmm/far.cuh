// SPDX-License-Identifier: MIT
#pragma once
// The far field, with one warp per target. First, clusters of some hundred bodies walk the tree: cells that are far
// from the whole cluster act through its local expansion (M2L). Nearer cells are passed on to its groups of up to a
// warp of bodies, which test them and their children by the same criterion. The remaining cells go into near lists, for
// direct summation.
#include <array>
#include <span>

#include "core/engines/cuda/fmm/data.cuh"
#include "core/engines/cuda/fmm/expansions.cuh"
#include "core/engines/cuda/fmm/tuning.hpp"
#include "core/engines/cuda/tree/walk_args.cuh"
#include "core/physics/pair.cuh"

namespace orrery::cuda {

inline constexpr unsigned kFarWarps = kFarTargets;  // per block

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

enum class Target { kCluster, kGroup };

template <class Real, int P, bool kPotential, Target kTarget>
class FarWalk {
    using Order = Expansions<Real, P>;
    static constexpr int kFamilies = 32 / static_cast<int>(kOctet);
    /// Beyond kFull entries only one family is taken at a time, so that the traversal is depth-first and adds at most 7
    /// entries per level.
    static constexpr int kFull = 128, kRoom = kFull + 7 * kFamilies + 7 * kTreeLevels;
    static constexpr unsigned kRing = 64;
    /// Flag: the cells of this family and their descendants must not act through expansions; see test_cells().
    static constexpr std::uint32_t kOneByOne = 1u << 31;
    /// Cells larger than this fraction of a cluster's radius are opened for the cluster; smaller ones are left to its
    /// groups.
    static constexpr Real kLeave = Real(0.7);
    /// A target is too wide for a cell if it is not well separated from it and the cell's radius is at most this
    /// fraction of the target's: the cell's children would not be well separated either.
    static constexpr Real kWide = Real(0.5);

public:
    /// Size of a cluster's local expansion: its terms, then its centre.
    static constexpr int kLocals = Order::kTerms + 3;
    struct Family {
        std::uint32_t first, count;
    };
    struct Shared {
        Family stack[kRoom];
        std::uint32_t ring[kRing];  // cells that act through their expansions
        std::uint32_t found[NearChunk::kEntries + 32];
        Real terms[(Order::kTerms + 31) / 32 * 32];
    };

    __device__ FarWalk(const FmmArgs<Real>& in, Shared& shared, BodyRange bodies)
        : in_{in}, shared_{shared}, bodies_{bodies}, softening2_{in.tree.state->units.softening2} {
        GroupEntry<Real> entry;
        for (std::uint32_t i = bodies.first + lane(); i < bodies.end; i += 32) {
            entry.add(in.tree.bodies[i]);
            if (in.rule == MacKind::kRelative) entry.add_norm(in.tree, i, true);
        }
        box_ = entry.box();
        for (std::uint32_t i = bodies.first + lane(); i < bodies.end; i += 32) {
            const Vec3<Real> off = xyz(in.tree.bodies[i]) - box_.middle;
            radius_ = max(radius_, dot(off, off));
        }
        radius_ = sqrt(-warp_min(-radius_)) + in.blur;
        if (in.rule == MacKind::kRelative) {
            acceleration_ = entry.acceleration(bodies.end - bodies.first, in.tree.state->units.mean_acceleration_norm);
            limit_ = in.alpha * acceleration_;
        }
    }

    __device__ void operator()(const std::uint32_t* cells, std::uint32_t count) {
        int waiting = 0;
        for (std::uint32_t next = 0; next < count || waiting > 0;) {
            std::uint32_t cell = 0;
            bool busy, alone = false;
            if (waiting > 0) {
                const int take = waiting <= kFull ? min(waiting, kFamilies) : 1,
                          mine = static_cast<int>(lane() / kOctet);
                const Family from = shared_.stack[max(waiting - 1 - mine, 0)];
                const std::uint32_t child = lane() % kOctet;
                busy = mine < take && child < from.count;
                alone = (from.first & kOneByOne) != 0;
                if (busy) cell = (from.first & ~kOneByOne) + child;
                waiting -= take;
            } else {
                busy = next + lane() < count;
                if (busy) cell = cells[next + lane()];
                next += 32;
            }
            waiting = test_cells(cell, busy, alone, waiting);
        }
        if (queued_ > 0) evaluate(queued_);
    }

    /// Stores the cells that a cluster passes on to its groups, and its local expansion.
    __device__ void store(std::uint32_t cluster) {
        const bool whole = kept_ <= kMostLeft;
        if (lane() == 0) {
            if (!whole) in_.left[std::uint64_t{cluster} * kMostLeft] = in_.tree.root;
            in_.left_count[cluster] = whole ? kept_ : 1;
        }
        Real* const to = in_.cluster_locals + std::uint64_t{cluster} * kLocals;
        fold();
        for (int k = static_cast<int>(lane()); k < Order::kTerms; k += 32) to[k] = whole ? shared_.terms[k] : Real(0);
        if (lane() == 0) {
            to[Order::kTerms] = box_.middle.x, to[Order::kTerms + 1] = box_.middle.y;
            to[Order::kTerms + 2] = box_.middle.z;
        }
        if (lane() == 0) atomicAdd(&in_.state->with_cells, static_cast<unsigned long long>(expansions_));
    }

    /// Stores the near list of a group, and the field of everything that is far from the group or its cluster.
    __device__ void store(std::uint64_t group, std::uint32_t cluster) {
        if (kept_ > 0) flush_chunk(kept_);
        if (lane() == 0)
            in_.near[group] = {last_, kept_ > 0 ? kept_ : last_ == kNoChunk ? 0 : NearChunk::kEntries, expansions_};
        fold();
        const Real* const of_cluster = in_.cluster_locals + std::uint64_t{cluster} * kLocals;
        const Vec3<Real> middle{of_cluster[Order::kTerms], of_cluster[Order::kTerms + 1],
                                of_cluster[Order::kTerms + 2]};
        for (std::uint32_t i = bodies_.first + lane(); i < bodies_.end; i += 32) {
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
    __device__ static unsigned lanes_below() { return (1u << lane()) - 1; }
    __device__ static unsigned before(unsigned lanes) { return static_cast<unsigned>(__popc(lanes & lanes_below())); }

    /// Tests one cell per lane: it acts through its expansion, is listed, or is replaced by its children. With R² = r²
    /// + ε² it acts on a target if (ρ + ρ')/R ≤ θ and, for the relative criterion, M' ((σ' + ρ)/R)^P/R² ≤ α a, where ρ
    /// is a radius, σ' the cell's spread and M' its mass: the error of Dehnen (2014, Comput. Astrophys. Cosmol. 1, 1,
    /// eq. 11) with the spread in place of multipole powers. If ρ alone violates the criterion, all parts of the cell
    /// together would violate it, because their errors have the same direction. A group then treats them as point
    /// masses, by the criterion of the tree; it also does so if it is too wide for any part to be well separated from
    /// it, as are groups in the outermost halo.
    __device__ int test_cells(std::uint32_t cell, bool busy, bool alone, int waiting) {
        const TreeNode<Real> node = in_.tree.nodes[cell];
        const CellReach<Real> reach = in_.reach[cell];
        const Vec3<Real> d = box_.middle - xyz(node.centre);
        const Real inverse = fast_rsqrt(dot(d, d) + softening2_), field = node.centre.w * inverse * inverse;
        busy = busy && node.centre.w != 0;
        const Real theta = kTarget == Target::kCluster ? in_.cluster_theta : in_.theta;
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
        if constexpr (kTarget == Target::kGroup) {
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
            shared_.stack[static_cast<unsigned>(waiting) + before(opened)] = {
                static_cast<std::uint32_t>(node.rest.first) | (alone ? kOneByOne : 0),
                static_cast<std::uint32_t>(node.rest.count)};
        const unsigned acting = __ballot_sync(~0u, acts);
        if (acts) shared_.ring[(head_ + queued_ + before(acting)) % kRing] = cell;
        queued_ += static_cast<unsigned>(__popc(acting));
        if (const unsigned kept = __ballot_sync(~0u, keeps); kept != 0) keep(entry, kept);
        __syncwarp();
        if (queued_ >= 32) {
            evaluate(32);
            head_ ^= 32;
            queued_ -= 32;
        }
        return waiting + __popc(opened);
    }

    __device__ void keep(std::uint32_t entry, unsigned lanes) {
        const bool mine = (lanes >> lane() & 1) != 0;
        const std::uint32_t at = kept_ + before(lanes);
        kept_ += static_cast<std::uint32_t>(__popc(lanes));
        if constexpr (kTarget == Target::kCluster) {
            if (mine && at < kMostLeft) in_.left[own_list_ + at] = entry;
        } else {
            if (mine) shared_.found[at] = entry;
            __syncwarp();
            if (kept_ < NearChunk::kEntries) return;
            flush_chunk(NearChunk::kEntries);
            kept_ -= NearChunk::kEntries;
            const std::uint32_t rest = lane() < kept_ ? shared_.found[NearChunk::kEntries + lane()] : 0;
            __syncwarp();
            if (lane() < kept_) shared_.found[lane()] = rest;
        }
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
    Shared& shared_;
    const BodyRange bodies_;
    const Real softening2_;
    CentredBox<Real> box_;
    Real radius_{}, acceleration_{}, limit_{};
    Real locals_[Order::kTerms]{};
    unsigned head_ = 0, queued_ = 0, expansions_ = 0;
    std::uint32_t kept_ = 0, last_ = kNoChunk;

public:
    std::uint64_t own_list_ = 0;  // start of the cells that a cluster passes on
};

template <class Real, int P>
constexpr int kFarBlocks = far_blocks_at_once(sizeof(Real) == 4, P);

template <class Real, int P, bool kPotential>
__global__ void __launch_bounds__(32 * kFarWarps, kFarBlocks<Real, P>)
    walk_clusters(const __grid_constant__ FmmArgs<Real> in) {
    using Walk = FarWalk<Real, P, kPotential, Target::kCluster>;
    __shared__ typename Walk::Shared shared[kFarWarps];
    const std::uint64_t cluster = in.first + blockIdx.x * kFarWarps + threadIdx.x / 32;
    if (cluster >= in.last || !in.ranks.mine(in.clusters[cluster].first)) return;
    Walk walk{in, shared[threadIdx.x / 32], in.clusters[cluster]};
    walk.own_list_ = cluster * kMostLeft;
    walk(&in.tree.root, 1);
    walk.store(static_cast<std::uint32_t>(cluster));
}

/// Position of a group, given its number below the sum of groups_of_level. For whole warps.
template <class Real>
__device__ std::uint64_t group_place(const TreeView<Real>& tree, std::uint64_t group) {
    std::uint32_t all;
    const std::uint32_t of_level = groups_of_own_level(tree), earlier = warp_scan(of_level, all);
    // The group belongs to the last non-empty level that begins at or before it.
    const int level = 31 - __clz(static_cast<int>(__ballot_sync(~0u, earlier <= group && of_level > 0)));
    return group - __shfl_sync(~0u, earlier, level) + static_cast<unsigned>(level) * tree.groups_room;
}

template <class Real, int P, bool kPotential>
__global__ void __launch_bounds__(32 * kFarWarps, kFarBlocks<Real, P>)
    walk_groups(const __grid_constant__ FmmArgs<Real> in) {
    using Walk = FarWalk<Real, P, kPotential, Target::kGroup>;
    __shared__ typename Walk::Shared shared[kFarWarps];
    const std::uint64_t group = in.first + blockIdx.x * kFarWarps + threadIdx.x / 32;
    if (group >= in.last) return;
    const std::uint64_t place = group_place(in.tree, group);
    const std::uint32_t cluster = in.cluster_of_group[place];
    if (!in.ranks.mine(in.clusters[cluster].first)) return;
    Walk walk{in, shared[threadIdx.x / 32], in.tree.groups[place]};
    walk(in.left + std::uint64_t{cluster} * kMostLeft, in.left_count[cluster]);
    walk.store(group, cluster);
}

template <class Real, int P, bool kPotential>
constexpr FarVariant<Real> far_variant() {
    return {P, kPotential, &walk_clusters<Real, P, kPotential>, &walk_groups<Real, P, kPotential>};
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
