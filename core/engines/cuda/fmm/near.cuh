// SPDX-License-Identifier: MIT
#pragma once
// The near field (P2P): one block per group, whose bodies are in the registers of all its warps, evaluates the bodies
// of the cells in the group's near list, and cells that act as point masses, then adds the far field.
#include <algorithm>
#include <array>

#include "core/engines/cuda/fmm/data.cuh"
#include "core/engines/cuda/fmm/far.cuh"
#include "core/physics/pair.cuh"

namespace orrery::cuda {

template <class Real, int kBodies, Softened kSoftened, bool kPotential, Split kSplit, int kWarps>
class NearField {
public:
    using Body = PointMass<Real, kSplit>;
    struct Shared {
        Body sources[kWarps][32];
        std::uint32_t acting[kWarps][kPotential ? 32 : 1];  // index of each source, see mass_on_row()
        Vec4<Real> sums[kWarps][kBodies][32];
    };

    __device__ NearField(const FmmArgs<Real>& in, Shared& shared, BodyRange bodies)
        : in_{in}, shared_{shared}, bodies_{bodies}, softening2_{in.tree.state->units.softening2} {
#pragma unroll
        for (int k = 0; k < kBodies; ++k) {
            self_at_[k] = min(bodies.first + static_cast<unsigned>(k) * 32 + lane(), bodies.end - 1);
            self_[k] = point_mass<kSplit>(in.tree.bodies, in.tree.low, self_at_[k]);
            sum_[k] = {};
        }
    }

    /// Each warp evaluates what one warp of the walk has found.
    __device__ void evaluate(const NearList& list) {
        const NearChain chain = list.of_warp[warp()];
        expansions_ = chain.expansions;
        if (chain.last == kNoChunk) return;
        std::uint32_t low = entry(chain.last, 0), high = entry(chain.last, 32), count = chain.count;
        for (bool more = true; more; count = NearChunk::kEntries) {
            const std::uint32_t first = low, second = high, before = __shfl_sync(~0u, second, NearChunk::kEntries - 32);
            more = before != kNoChunk;
            if (more) low = entry(before, 0), high = entry(before, 32);  // in time for the next turn
            evaluate(first, min(count, 32u));
            if (count > 32) evaluate(second, count - 32);
        }
    }

    /// Stores accelerations in the scene's order, and the force on the group in the units of the tree.
    __device__ void store() {
        if constexpr (kWarps > 1) {
#pragma unroll
            for (int k = 0; k < kBodies; ++k)
                shared_.sums[warp()][k][lane()] = {sum_[k].x, sum_[k].y, sum_[k].z, sum_[k].w};
            __syncthreads();
        }
        if (lane() == 0) {
            atomicAdd(&in_.state->with_bodies, sources_ * (bodies_.end - bodies_.first));
            atomicAdd(&in_.state->with_cells, expansions_);
        }
        if (warp() > 0) return;
        const TreeUnits<Real>& units = in_.tree.state->units;
        const auto a = Real(units.acceleration * in_.G), p = Real(units.potential * in_.G);
#pragma unroll
        for (int k = 0; k < kBodies; ++k) {
            const std::uint32_t i = bodies_.first + static_cast<unsigned>(k) * 32 + lane();
            if (i >= bodies_.end) continue;
            Vec4<Real> sum = in_.far[i];
#pragma unroll
            for (int w = 0; w < kWarps; ++w) {
                const Vec4<Real> more =
                    kWarps == 1 ? Vec4<Real>{sum_[k].x, sum_[k].y, sum_[k].z, sum_[k].w} : shared_.sums[w][k][lane()];
                sum = {sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w};
            }
            const Vec4<Real> out = finished(sum, Real(1));
            in_.acceleration[in_.tree.order[i]] = {a * out.x, a * out.y, a * out.z, kPotential ? p * out.w : Real(0)};
        }
    }

private:
    struct Source {
        Body body;
        std::uint32_t acting;
    };

    __device__ static unsigned lane() { return threadIdx.x % 32; }
    __device__ static unsigned warp() { return threadIdx.x / 32; }

    /// One of two entries of a chunk that this lane loads: the words of a chunk are its entries and the previous chunk.
    __device__ std::uint32_t entry(std::uint32_t chunk, unsigned from) const {
        return reinterpret_cast<const std::uint32_t*>(in_.chunks + chunk)[from + lane()];
    }

    /// Evaluates up to 32 entries of a chunk, one per lane. Their sources are numbered consecutively.
    __device__ void evaluate(std::uint32_t own, std::uint32_t count) {
        std::uint32_t first = 0, sources = 0;
        bool as_mass = false;
        if (lane() < count) {
            as_mass = (own & kAsMass) != 0;
            first = own & ~kAsMass, sources = 1;
            if (!as_mass) {
                const auto rest = in_.tree.nodes[first].rest;
                first = static_cast<std::uint32_t>(rest.first), sources = static_cast<std::uint32_t>(-rest.count);
            }
        }
        std::uint32_t all;
        const std::uint32_t earlier = warp_scan(sources, all);
        sources_ += all;
        const unsigned masses = __ballot_sync(~0u, as_mass);
        Source next = source(lane(), all, first, earlier, masses);
        for (std::uint32_t begin = 0; begin < all; begin += 32) {
            __syncwarp();
            shared_.sources[warp()][lane()] = next.body;
            if constexpr (kPotential) shared_.acting[warp()][lane()] = next.acting;
            __syncwarp();
            if (begin + 32 < all) next = source(begin + 32 + lane(), all, first, earlier, masses);
            if (begin + 32 <= all) {
#pragma unroll 8
                for (unsigned j = 0; j < 32; ++j) interact(j);
            } else {
#pragma unroll 4
                for (std::uint32_t j = 0; j < all - begin; ++j) interact(j);
            }
        }
    }

    /// For whole warps: source `number` of entries, one per lane, that begin at `earlier`.
    __device__ Source source(std::uint32_t number, std::uint32_t all, std::uint32_t first, std::uint32_t earlier,
                             unsigned masses) const {
        number = min(number, all - 1);
        unsigned of = 0;  // the last entry that begins at or before `number`
#pragma unroll
        for (unsigned step = 16; step > 0; step /= 2)
            if (__shfl_sync(~0u, earlier, of + step) <= number) of += step;
        const std::uint32_t at = __shfl_sync(~0u, first, of), begin = __shfl_sync(~0u, earlier, of);
        if ((masses >> of & 1) != 0) {
            const TreeNode<Real>& node = in_.tree.nodes[at];
            return {{node.centre}, kPotential && !(node.rest.extent > 0) ? kOnePlace : kNoBody};
        }
        return {point_mass<kSplit>(in_.tree.bodies, in_.tree.low, at + number - begin), at + number - begin};
    }

    __device__ void interact(unsigned source) {
        const Body other = shared_.sources[warp()][source];
#pragma unroll
        for (int k = 0; k < kBodies; ++k) {
            Real mass = other.at.w;
            if constexpr (kPotential)
                mass = mass_on_row(other.at, shared_.acting[warp()][source], self_[k].at, self_at_[k]);
            add_acceleration<kSoftened, kPotential>(sum_[k], self_[k], other, mass, softening2_);
        }
    }

    const FmmArgs<Real>& in_;
    Shared& shared_;
    const BodyRange bodies_;
    const Real softening2_;
    Body self_[kBodies];
    std::uint32_t self_at_[kBodies];  // positions in the tree
    Sum<Real> sum_[kBodies];
    unsigned long long sources_ = 0, expansions_ = 0;
};

template <class Real, int kBodies, Softened kSoftened, bool kPotential, Split kSplit, int kWarps>
__global__ void __launch_bounds__(32 * kWarps) evaluate_near_field(const __grid_constant__ FmmArgs<Real> in) {
    using Field = NearField<Real, kBodies, kSoftened, kPotential, kSplit, kWarps>;
    __shared__ typename Field::Shared shared;
    if (in.state->chunks > in.chunks_room) return;
    const std::uint64_t group = kWarps > 1 ? in.last - 1 - blockIdx.x : in.first + blockIdx.x;  // as far_target()
    if (!belongs_here(in, in.groups[group])) return;
    Field field{in, shared, in.groups[group].bodies};
    field.evaluate(in.near[group]);
    field.store();
}

template <class Real, Softened kSoftened, bool kPotential, Split kSplit>
constexpr std::array<NearVariant<Real>, 4> near_variants_of() {
    constexpr bool softened = kSoftened == Softened::kYes, split = kSplit == Split::kYes;
    static_assert(kTeam == 4);
    return {{{1, softened, kPotential, split, 1, &evaluate_near_field<Real, 1, kSoftened, kPotential, kSplit, 1>},
             {2, softened, kPotential, split, 1, &evaluate_near_field<Real, 2, kSoftened, kPotential, kSplit, 1>},
             {1, softened, kPotential, split, 4, &evaluate_near_field<Real, 1, kSoftened, kPotential, kSplit, 4>},
             {2, softened, kPotential, split, 4, &evaluate_near_field<Real, 2, kSoftened, kPotential, kSplit, 4>}}};
}
template <class Real, Split kSplit>
constexpr std::array<NearVariant<Real>, 16> near_variants_of() {
    std::array<NearVariant<Real>, 16> menu{};
    auto to = menu.begin();
    const auto add = [&to](const auto& variants) { to = std::copy(variants.begin(), variants.end(), to); };
    add(near_variants_of<Real, Softened::kYes, false, kSplit>());
    add(near_variants_of<Real, Softened::kYes, true, kSplit>());
    add(near_variants_of<Real, Softened::kNo, false, kSplit>());
    add(near_variants_of<Real, Softened::kNo, true, kSplit>());
    return menu;
}

template <class Real>
std::span<const NearVariant<Real>> near_variants() {
    static constexpr auto menu = [] {
        constexpr auto whole = near_variants_of<Real, Split::kNo>();
        if constexpr (std::is_same_v<Real, double>) {
            return whole;
        } else {
            constexpr auto split = near_variants_of<Real, Split::kYes>();
            std::array<NearVariant<Real>, whole.size() + split.size()> both{};
            std::copy(split.begin(), split.end(), std::copy(whole.begin(), whole.end(), both.begin()));
            return both;
        }
    }();
    return menu;
}

}  // namespace orrery::cuda
