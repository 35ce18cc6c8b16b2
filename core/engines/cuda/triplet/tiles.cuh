// SPDX-License-Identifier: MIT
// All triplets of three tiles in one block, as in core/engines/cpu/triplet/simd.cpp: sides are computed once per pair
// of bodies, and forces are summed per side.
#pragma once
#include "core/cuda/launch.cuh"
#include "core/maps/any_map.hpp"
#include "core/physics/law.hpp"
#include "core/physics/pair.cuh"

// Constants of `triplet` on a GPU (f5433c28, 21 November 2026; card unknown). To repeat one, compare the medians of
//   orrery bench argon-cluster --engines triplet --backend cuda --bodies 1024,4096

namespace orrery::cuda {

inline constexpr unsigned kTripletSide = 32, kTripletThreads = 64;  ///< bodies on a side of a tile, threads per block

/// Blocks per multiprocessor for which registers must leave room.
constexpr int triplet_blocks_at_once(bool single, bool split) { return single && !split ? 8 : 4; }

}  // namespace orrery::cuda

namespace orrery::cuda {

template <class Real>
struct TripletArgs {
    const Vec4<Real>* bodies;
    const Vec4<Real>* low;  ///< as in BodyView::low
    Vec4d* sums;  ///< without 3ν (w: without ν); in double, because N²/2048 blocks add to the sum of a body
    std::uint64_t count;
    AnyMap3 map;
    Grid3 grid;
    std::uint64_t first_item;  ///< index of the grid block, counted along x, of blockIdx 0
    std::uint32_t tiles;       ///< number of tiles on a side of the tetrahedron
    Real softening2;
};

/// One number for each pair of bodies of two tiles, in rows of the later tile: [k][i], [k][j], and [j][i].
template <class Real>
struct alignas(16) PairTable {
    Real at[kTripletSide][kTripletSide];
};
template <class Real, Split kSplit>
struct TripletShared {
    PointMass<Real, kSplit> body[3][kTripletSide];
    PairTable<Real> half_ik, inverse_ik, half_jk, inverse_jk;
    PairTable<Real> push_jk[2];  ///< one per warp
};

template <class Real>
__device__ __forceinline__ Real product(const Vec3<Real>& a, const Vec3<Real>& b, Real more) {
    return fma(a.x, b.x, fma(a.y, b.y, fma(a.z, b.z, more)));
}
template <class Real>
__device__ __forceinline__ Side<Real> side_of(const Vec3<Real>& way, Real softening2, bool wanted) {
    const Real r2 = product(way, way, softening2);
    const Real inverse = wanted && r2 > kTouching<Real> ? rsqrt(r2) : Real(0);
    return {r2 / 2, inverse, inverse * inverse};
}

/// With split positions, corners are computed from the side vectors: the square of a short side would be lost in the
/// sum of the three squares.
template <class Real>
__device__ __forceinline__ Corners<Real> corners(const Vec3<Real>& ij, const Vec3<Real>& jk, const Vec3<Real>& ik,
                                                 Real softening2) {
    const Real soft = softening2 / 2;
    return {product(ij, ik, soft), soft - product(ij, jk, Real(0)), product(ik, jk, soft)};
}

/// Adds each of four numbers over the lanes that differ in lane bits `first` and `second`; each lane keeps the sum
/// given by index_of().
template <class Real>
__device__ __forceinline__ Real sum_of_four(const Real (&v)[4], unsigned first, unsigned second) {
    const bool high = threadIdx.x & first, odd = threadIdx.x & second;
    Real a = high ? v[2] : v[0], b = high ? v[3] : v[1];
    a += __shfl_xor_sync(~0u, high ? v[0] : v[2], first);
    b += __shfl_xor_sync(~0u, high ? v[1] : v[3], first);
    const Real kept = odd ? b : a;
    return kept + __shfl_xor_sync(~0u, odd ? a : b, second);
}
__device__ __forceinline__ unsigned index_of(unsigned first, unsigned second) {
    return (threadIdx.x & first ? 2 : 0) + (threadIdx.x & second ? 1 : 0);
}

/// A warp has 16 bodies i and all 32 bodies j; a lane has 4 × 4 of these pairs, whose sides and sums stay in registers.
/// For each body k a lane computes 16 triplets; their forces along sides ik and jk are summed over the lanes.
template <bool kPotential, class Real, Split kSplit>
__device__ __forceinline__ void interact_all(TripletShared<Real, kSplit>& shared, Real softening2, bool same_ij,
                                             std::uint64_t in_i, std::uint64_t in_j) {
    const unsigned warp = threadIdx.x / 32, i0 = warp * 16 + threadIdx.x % 32 / 8 * 4, j0 = threadIdx.x % 8 * 4;
    Side<Real> ij[4][4];
    Vec3<Real> way_ij[4][4];
    PointMass<Real, kSplit> body_i[4], body_j[4];
    Real push[4][4] = {}, energy[4][4] = {};
#pragma unroll
    for (unsigned a = 0; a < 4; ++a) body_i[a] = shared.body[0][i0 + a], body_j[a] = shared.body[1][j0 + a];
#pragma unroll
    for (unsigned a = 0; a < 4; ++a)
#pragma unroll
        for (unsigned b = 0; b < 4; ++b) {
            way_ij[a][b] = difference(body_j[b], body_i[a]);
            ij[a][b] =
                side_of(way_ij[a][b], softening2, i0 + a < in_i && j0 + b < in_j && !(same_ij && j0 + b <= i0 + a));
        }
#pragma unroll 1
    for (unsigned k = 0; k < kTripletSide; ++k) {
        const PointMass<Real, kSplit> body_k = shared.body[2][k];
        const Real mass_k = body_k.at.w;
        Side<Real> ik[4], jk[4];
        Vec3<Real> way_ik[4], way_jk[4];
#pragma unroll
        for (unsigned a = 0; a < 4; ++a) {
            const Real c = shared.inverse_ik.at[k][i0 + a], b = shared.inverse_jk.at[k][j0 + a];
            ik[a] = {shared.half_ik.at[k][i0 + a], c, c * c};
            jk[a] = {shared.half_jk.at[k][j0 + a], b, b * b};
            way_ik[a] = difference(body_k, body_i[a]), way_jk[a] = difference(body_k, body_j[a]);
        }
        Real on_ik[4] = {}, on_jk[4] = {}, energy_ik[4] = {};
#pragma unroll
        for (unsigned a = 0; a < 4; ++a)
#pragma unroll
            for (unsigned b = 0; b < 4; ++b) {
                TripletPush<Real> p;
                if constexpr (kSplit == Split::kYes)
                    p = triplet_push(corners(way_ij[a][b], way_jk[b], way_ik[a], softening2), ij[a][b], jk[b], ik[a]);
                else
                    p = triplet_push(ij[a][b], jk[b], ik[a]);
                push[a][b] = fma(mass_k, p.ij, push[a][b]);
                on_jk[b] = fma(body_i[a].at.w, p.jk, on_jk[b]);
                on_ik[a] = fma(body_j[b].at.w, p.ik, on_ik[a]);
                if constexpr (kPotential) {
                    energy[a][b] = fma(mass_k, p.energy, energy[a][b]);
                    energy_ik[a] = fma(body_j[b].at.w, p.energy, energy_ik[a]);
                }
            }
        Real total_ik = sum_of_four(on_ik, 1, 2);
        total_ik += __shfl_xor_sync(~0u, total_ik, 4);
        const Real total_jk = sum_of_four(on_jk, 8, 16);
        __syncwarp();  // all lanes have read row k of the tables ik; other warps do not read this part
        if (!(threadIdx.x & 4)) shared.half_ik.at[k][i0 + index_of(1, 2)] = total_ik;
        shared.push_jk[warp].at[k][j0 + index_of(8, 16)] = total_jk;
        if constexpr (kPotential) {
            Real total = sum_of_four(energy_ik, 1, 2);
            total += __shfl_xor_sync(~0u, total, 4);
            if (!(threadIdx.x & 4)) shared.inverse_ik.at[k][i0 + index_of(1, 2)] = total;
        }
    }
    __syncthreads();  // the tables jk have been read: their memory is reused for ij
#pragma unroll
    for (unsigned a = 0; a < 4; ++a)
#pragma unroll
        for (unsigned b = 0; b < 4; ++b) {
            shared.half_jk.at[j0 + b][i0 + a] = push[a][b];
            if constexpr (kPotential) shared.inverse_jk.at[j0 + b][i0 + a] = energy[a][b];
        }
    __syncthreads();
}

/// The total force on body `own` along all sides to one other tile. The order of sides avoids bank conflicts for either
/// orientation of the table.
template <class Real, Split kSplit, class Push>
__device__ __forceinline__ void gather(Vec4<Real>& sum, const PointMass<Real, kSplit>& self,
                                       const PointMass<Real, kSplit>* others, unsigned own, const Push& push) {
    for (unsigned turn = 0; turn < kTripletSide; ++turn) {
        const unsigned at = (own + turn) % kTripletSide;
        const PointMass<Real, kSplit> other = others[at];
        const Vec3<Real> away = difference(self, other);
        const Real p = other.at.w * push(at);
        sum.x = fma(p, away.x, sum.x);
        sum.y = fma(p, away.y, sum.y);
        sum.z = fma(p, away.z, sum.z);
    }
}

template <class Real, bool kPotential, Split kSplit>
__global__ void __launch_bounds__(kTripletThreads, triplet_blocks_at_once(sizeof(Real) == 4, kSplit == Split::kYes))
    triplet_tiles(const __grid_constant__ TripletArgs<Real> in) {
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    const TileTriple tiles = in.map(block_at(in.grid, in.first_item + blockIdx.x), in.tiles);
    if (!useful(tiles, in.tiles)) return;
    auto& shared = *reinterpret_cast<TripletShared<Real, kSplit>*>(shared_bytes);
    const std::uint64_t first[3] = {std::uint64_t{tiles.i} * kTripletSide, std::uint64_t{tiles.j} * kTripletSide,
                                    std::uint64_t{tiles.k} * kTripletSide};
    for (unsigned at = threadIdx.x; at < 3 * kTripletSide; at += kTripletThreads) {
        const std::uint64_t body = first[at / kTripletSide] + at % kTripletSide;
        shared.body[at / kTripletSide][at % kTripletSide] =
            body < in.count ? point_mass<kSplit>(in.bodies, in.low, body) : PointMass<Real, kSplit>{};
    }
    __syncthreads();
    const std::uint64_t in_i = in.count - first[0], in_j = in.count - first[1], in_k = in.count - first[2];
    for (unsigned at = threadIdx.x; at < kTripletSide * kTripletSide; at += kTripletThreads) {
        const unsigned k = at / kTripletSide, other = at % kTripletSide;
        const Side<Real> ik =
            side_of(difference(shared.body[2][k], shared.body[0][other]), in.softening2, other < in_i && k < in_k);
        const Side<Real> jk = side_of(difference(shared.body[2][k], shared.body[1][other]), in.softening2,
                                      other < in_j && k < in_k && !(tiles.j == tiles.k && k <= other));
        shared.half_ik.at[k][other] = ik.half, shared.inverse_ik.at[k][other] = ik.inverse;
        shared.half_jk.at[k][other] = jk.half, shared.inverse_jk.at[k][other] = jk.inverse;
    }
    __syncthreads();
    interact_all<kPotential>(shared, in.softening2, tiles.i == tiles.j, in_i, in_j);

    const auto& push_ik = shared.half_ik.at;
    const auto& push_ij = shared.half_jk.at;
    const auto push_jk = [&](unsigned k, unsigned j) {
        return shared.push_jk[0].at[k][j] + shared.push_jk[1].at[k][j];
    };
    for (unsigned at = threadIdx.x; at < 3 * kTripletSide; at += kTripletThreads) {
        const unsigned tile = at / kTripletSide, own = at % kTripletSide;
        if (first[tile] + own >= in.count) continue;
        const PointMass<Real, kSplit> self = shared.body[tile][own];
        Vec4<Real> sum{};
        if (tile != 0)
            gather(sum, self, shared.body[0], own,
                   [&](unsigned i) { return tile == 1 ? push_ij[own][i] : push_ik[own][i]; });
        if (tile != 1)
            gather(sum, self, shared.body[1], own,
                   [&](unsigned j) { return tile == 0 ? push_ij[j][own] : push_jk(own, j); });
        if (tile != 2)
            gather(sum, self, shared.body[2], own,
                   [&](unsigned k) { return tile == 0 ? push_ik[k][own] : push_jk(k, own); });
        if constexpr (kPotential)  // each body gets each of its triplets once: through side ij, or for the third body
                                   // through side ik
            for (unsigned other = 0; other < kTripletSide; ++other)
                sum.w += tile == 0   ? shared.body[1][other].at.w * shared.inverse_jk.at[other][own]
                         : tile == 1 ? shared.body[0][other].at.w * shared.inverse_jk.at[own][other]
                                     : shared.body[0][other].at.w * shared.inverse_ik.at[own][other];
        Vec4d& target = in.sums[first[tile] + own];
        atomicAdd(&target.x, double(sum.x)), atomicAdd(&target.y, double(sum.y)), atomicAdd(&target.z, double(sum.z));
        if constexpr (kPotential) atomicAdd(&target.w, double(sum.w));
    }
}

}  // namespace orrery::cuda
