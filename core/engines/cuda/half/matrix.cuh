// SPDX-License-Identifier: MIT
// The symmetric half matrix: one block per tile of the triangle, assigned by a thread map; each pair is computed once
// and acts on both bodies.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "core/cuda/launch.cuh"
#include "core/maps/any_map.hpp"
#include "core/physics/pair.cuh"

namespace orrery::cuda {

// Constants of `half` on a GPU that were fitted by measurements on an NVIDIA H200 (CUDA 13.0, November 2026; tables in
// bench/results/h200). To repeat one, compare the medians of
//   orrery bench --engines half --backend cuda --sweep tile --bodies 1024,4096,16384,65536,262144

/// ρ for `n` bodies in single or double precision. Large tiles have the least overhead per pair, but small N needs many
/// blocks to fill the device.
constexpr int fitted_tile_size(std::uint64_t n, bool single) {
    if (n >= 40'000) return single ? 384 : 512;
    if (n >= 10'000) return single ? 256 : 128;
    return n >= 6'000 ? 128 : n >= 1'500 ? 64 : 32;
}

/// Unrolling of the loop over columns without potentials: the best of 1, 2, 4 and 8, for equal and unequal masses.
constexpr int fitted_unrolling(bool single) { return single ? 8 : 4; }

/// Order in which the sums of a body are added. kAny: as blocks finish, in the engine's precision. kFixed: the order is
/// irrelevant, because integer addition is associative: 64-bit fixed point, bitwise identical on every run.
enum class Order { kAny, kFixed };

/// Fixed point in two limbs: a value is high · coarse + low · fine, where both are powers of two. See fixed.cu.
struct FixedScale {
    double coarse, fine, per_coarse, per_fine;  ///< per_…: the reciprocals
    double most;                                ///< upper bound of one addition, such that a sum cannot wrap around
};
struct FixedScales {
    FixedScale force, potential;
};

template <class Real>
struct HalfArgs {
    const Vec4<Real>* bodies;
    const Vec4<Real>* low;  ///< as in BodyView::low
    void* sums;             ///< copies × count elements, see HalfSums; added up afterwards
    const Real* tile_mass;  ///< per tile, the mass of each of its bodies; NaN if they differ or the tile is not full
    std::uint64_t count;
    AnyMap map;
    Grid grid;
    std::uint64_t first_item;  ///< index of the grid block (of the strip), counted along x, of blockIdx 0
    std::uint32_t tile_rows;   ///< number of tiles on a side of the triangle
    std::uint32_t strip;       ///< blocks of the grid per CUDA block; 1 in half_matrix
    unsigned copies;           ///< a power of two
    Real softening2;
    const FixedScales* scales;  ///< for Order::kFixed
    unsigned* overflow;         ///< for Order::kFixed: not 0 after a force exceeded the scale
    PairConstants<Real> law;    ///< for laws other than gravity, where w of `bodies` is the strength
};

/// Adds atomically to global memory: one vector reduction if the device supports it.
__device__ __forceinline__ void add_to(Vec4<float>& target, float x, float y, float z, float w) {
#if __CUDA_ARCH__ >= 900
    asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(&target), "f"(x), "f"(y), "f"(z), "f"(w)
                 : "memory");
#else
    atomicAdd(&target.x, x), atomicAdd(&target.y, y), atomicAdd(&target.z, z);
    if (w != 0) atomicAdd(&target.w, w);
#endif
}
__device__ __forceinline__ void add_to(Vec4<double>& target, double x, double y, double z, double w) {
    atomicAdd(&target.x, x), atomicAdd(&target.y, y), atomicAdd(&target.z, z);
    if (w != 0) atomicAdd(&target.w, w);
}

/// One copy of the sums.
template <class Real, Order kOrder>
class HalfSums {
public:
    __device__ HalfSums(const HalfArgs<Real>& in, unsigned copy)
        : sums_{static_cast<Vec4<Real>*>(in.sums) + copy * in.count} {}
    __device__ void add(std::uint64_t body, Real x, Real y, Real z, Real w) { add_to(sums_[body], x, y, z, w); }

private:
    Vec4<Real>* sums_;
};

/// Eight planes of integers: high and low limb of x, y, z and w.
template <class Real>
class HalfSums<Real, Order::kFixed> {
public:
    __device__ HalfSums(const HalfArgs<Real>& in, unsigned copy)
        : in_{in}, planes_{static_cast<unsigned long long*>(in.sums) + copy * 8 * in.count} {}
    __device__ void add(std::uint64_t body, Real x, Real y, Real z, Real w) {
        add(0, body, x, in_.scales->force);
        add(2, body, y, in_.scales->force);
        add(4, body, z, in_.scales->force);
        if (w != 0) add(6, body, w, in_.scales->potential);
    }

private:
    __device__ void add(unsigned plane, std::uint64_t body, double value, const FixedScale& scale) {
        if (!(fabs(value) < scale.most)) {  // also rejects NaN
            *in_.overflow = 1;
            return;
        }
        const double high = rint(value * scale.per_coarse);
        const double low = rint(fma(-high, scale.coarse, value) * scale.per_fine);
        unsigned long long* const at = planes_ + plane * in_.count + body;
        atomicAdd(at, static_cast<unsigned long long>(static_cast<long long>(high)));
        atomicAdd(at + in_.count, static_cast<unsigned long long>(static_cast<long long>(low)));
    }

    const HalfArgs<Real>& in_;
    unsigned long long* planes_;
};

enum class Masses { kAny, kEqual };  ///< kEqual: one mass within the row tile and one within the column tile

/// The next 32 column bodies of a warp, stored twice in succession, so that lane + hop needs no wrap-around.
template <class Real, Split kSplit>
struct ColumnRing {
    PointMass<Real, kSplit> bodies[64];
};

/// Padding has mass 0 and exerts no force.
template <Split kSplit, class Real>
__device__ __forceinline__ PointMass<Real, kSplit> body_at(const HalfArgs<Real>& in, std::uint64_t i) {
    return i < in.count ? point_mass<kSplit>(in.bodies, in.low, i) : PointMass<Real, kSplit>{};
}

/// Adds a pair under a law other than gravity to both bodies' sums, given their separation `d` and their strengths.
template <PairLaw kLaw, bool kPotential, class Real>
__device__ __forceinline__ void add_both(Sum<Real>& sum, Sum<Real>& reaction, const Vec3<Real>& d, Real own, Real other,
                                         const PairConstants<Real>& law) {
    const PairTerm<Real> term = law_term<kLaw>(law, fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)), own, other);
    const Real act = weight_of<kLaw>(other), react = weight_of<kLaw>(own);
    sum.x = fma(d.x, act * term.pull, sum.x);
    sum.y = fma(d.y, act * term.pull, sum.y);
    sum.z = fma(d.z, act * term.pull, sum.z);
    reaction.x = fma(d.x, -react * term.pull, reaction.x);
    reaction.y = fma(d.y, -react * term.pull, reaction.y);
    reaction.z = fma(d.z, -react * term.pull, reaction.z);
    if constexpr (kPotential) {
        sum.w = fma(act, term.depth, sum.w);
        reaction.w = fma(react, term.depth, reaction.w);
    }
}

/// Interactions of two different tiles. A lane keeps kRows row bodies and their sums in registers. 32 column bodies are
/// read from a ring in shared memory, one position further at each hop, while the reactions on them rotate through the
/// warp by shuffles; after 32 hops they are back in their lanes.
template <class Real, int kRows, int kUnroll, Softened kSoftened, bool kPotential, Masses kMasses, Order kOrder,
          Split kSplit, PairLaw kLaw>
__device__ __forceinline__ void interact(const HalfArgs<Real>& in, ColumnRing<Real, kSplit>& ring,
                                         HalfSums<Real, kOrder> reactions, std::uint64_t first_column, Real row_mass,
                                         const PointMass<Real, kSplit> (&self)[kRows], Sum<Real> (&sum)[kRows]) {
    const unsigned lane = threadIdx.x % 32, width = blockDim.x * kRows, next = (lane + 1) % 32;
    // Each warp begins at a different position, so that warps do not add to the same columns at the same time. The
    // first warp ends with the first columns: initial conditions begin with their heaviest bodies, and a sum that
    // already contains a large term loses digits of each small one.
    unsigned chunk = (threadIdx.x / 32 * (32 * kRows) + 32) % width;
    const auto column_of = [&](unsigned of) {
        const std::uint64_t column = first_column + of + lane;
        return body_at<kSplit>(in, column);
    };
    PointMass<Real, kSplit> coming = column_of(chunk);
    for (unsigned done = 0; done < width; done += 32) {
        __syncwarp();
        ring.bodies[lane] = ring.bodies[lane + 32] = coming;
        __syncwarp();
        const unsigned after = chunk + 32 == width ? 0 : chunk + 32;
        if (done + 32 < width) coming = column_of(after);
        Sum<Real> reaction;
        const PointMass<Real, kSplit>* at = ring.bodies + lane;
#pragma unroll 1
        for (int turn = 0; turn < 32 / kUnroll; ++turn, at += kUnroll) {
#pragma unroll
            for (int hop = 0; hop < kUnroll; ++hop) {
                const PointMass<Real, kSplit> other = at[hop];
#pragma unroll
                for (int k = 0; k < kRows; ++k) {
                    const auto [dx, dy, dz] = difference(other, self[k]);
                    if constexpr (kLaw != PairLaw::kGravity) {
                        add_both<kLaw, kPotential>(sum[k], reaction, {dx, dy, dz}, self[k].at.w, other.at.w, in.law);
                        continue;
                    }
                    const Real distance2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, in.softening2)));
                    const Real y = pair_rsqrt<kSoftened>(distance2);
                    const Real cube = inverse_cube(distance2, y);
                    const Real act = kMasses == Masses::kEqual ? cube : cube * other.at.w;
                    const Real react = kMasses == Masses::kEqual ? cube : cube * self[k].at.w;
                    sum[k].x = fma(dx, act, sum[k].x);
                    sum[k].y = fma(dy, act, sum[k].y);
                    sum[k].z = fma(dz, act, sum[k].z);
                    reaction.x = fma(dx, -react, reaction.x);
                    reaction.y = fma(dy, -react, reaction.y);
                    reaction.z = fma(dz, -react, reaction.z);
                    if constexpr (kPotential) {
                        Real inverse;
                        inverse_cube(distance2, y, Real(1), inverse);
                        sum[k].w = fma(inverse, other.at.w, sum[k].w);
                        reaction.w = fma(inverse, self[k].at.w, reaction.w);
                    }
                }
                reaction.x = __shfl_sync(~0u, reaction.x, next);
                reaction.y = __shfl_sync(~0u, reaction.y, next);
                reaction.z = __shfl_sync(~0u, reaction.z, next);
                if constexpr (kPotential) reaction.w = __shfl_sync(~0u, reaction.w, next);
            }
        }
        const std::uint64_t column = first_column + chunk + lane;
        const Real mass = kMasses == Masses::kEqual ? row_mass : Real(1);
        if (column < in.count)
            reactions.add(column, mass * reaction.x, mass * reaction.y, mass * reaction.z, reaction.w);
        chunk = after;
    }
}

/// Interactions within a tile: each pair is computed twice, once for each body.
template <class Real, int kRows, Softened kSoftened, bool kPotential, Split kSplit, PairLaw kLaw>
__device__ __forceinline__ void interact_within(const HalfArgs<Real>& in, ColumnRing<Real, kSplit>& ring,
                                                std::uint64_t first, const PointMass<Real, kSplit> (&self)[kRows],
                                                Sum<Real> (&sum)[kRows]) {
    const unsigned lane = threadIdx.x % 32, own = threadIdx.x / 32 * (32 * kRows) + lane;
    for (unsigned chunk = blockDim.x * kRows; chunk > 0;) {  // from the last column to the first, see interact()
        chunk -= 32;
        const std::uint64_t column = first + chunk + lane;
        __syncwarp();
        ring.bodies[lane] = body_at<kSplit>(in, column);
        __syncwarp();
        for (unsigned j = 32; j-- > 0;) {
            const PointMass<Real, kSplit> other = ring.bodies[j];
#pragma unroll
            for (int k = 0; k < kRows; ++k)
                if constexpr (kLaw == PairLaw::kGravity)
                    add_acceleration<kSoftened, kPotential>(sum[k], self[k], other,
                                                            mass_beside<kPotential>(other, chunk + j == own + 32 * k),
                                                            in.softening2);
                else
                    add_pull<kLaw, kPotential>(sum[k], self[k].at, other.at, in.law);
        }
    }
}

/// One CUDA block per block of the map's grid. blockDim.x: 32 · warps; a tile has ρ = kRows · blockDim.x bodies;
/// dynamic shared memory: a ring per warp.
template <class Real, int kRows, int kUnroll, Softened kSoftened, bool kPotential, Order kOrder, Split kSplit,
          PairLaw kLaw = PairLaw::kGravity>
__global__ void half_matrix(const __grid_constant__ HalfArgs<Real> in) {
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    const std::uint64_t item = in.first_item + blockIdx.x;
    const Tile tile = in.map(in.grid.y == 1 ? Block{item, 0} : block_at(in.grid, item), in.tile_rows);
    if (!useful(tile, in.tile_rows)) return;

    auto& ring = reinterpret_cast<ColumnRing<Real, kSplit>*>(shared_bytes)[threadIdx.x / 32];
    const unsigned side = blockDim.x * kRows;
    const std::uint64_t first_row = std::uint64_t{tile.row} * side, first_column = std::uint64_t{tile.col} * side;
    const std::uint64_t own_row = first_row + threadIdx.x / 32 * (32 * kRows) + threadIdx.x % 32;
    PointMass<Real, kSplit> self[kRows];
    Sum<Real> sum[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        self[k] = body_at<kSplit>(in, own_row + 32 * k);
    }

    HalfSums<Real, kOrder> sums{in, (tile.row ^ tile.col) & (in.copies - 1)};
    Real scale = 1;
    if (tile.row == tile.col) {
        interact_within<Real, kRows, kSoftened, kPotential, kSplit, kLaw>(in, ring, first_column, self, sum);
    } else {
        const Real row_mass = in.tile_mass[tile.row], column_mass = in.tile_mass[tile.col];
        if (!kPotential && kLaw == PairLaw::kGravity && row_mass == row_mass && column_mass == column_mass) {
            scale = column_mass;
            interact<Real, kRows, kUnroll, kSoftened, kPotential, Masses::kEqual, kOrder, kSplit, kLaw>(
                in, ring, sums, first_column, row_mass, self, sum);
        } else {
            interact<Real, kRows, kUnroll, kSoftened, kPotential, Masses::kAny, kOrder, kSplit, kLaw>(
                in, ring, sums, first_column, row_mass, self, sum);
        }
    }
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        const std::uint64_t row = own_row + 32 * k;
        if (row < in.count) sums.add(row, scale * sum[k].x, scale * sum[k].y, scale * sum[k].z, sum[k].w);
    }
}

/// One compiled kernel of the family.
template <class Real>
struct HalfVariant {
    int k;
    bool softened;  ///< false: it handles both cases
    bool potential;
    void (*kernel)(HalfArgs<Real>);
};

template <class Real>
using HalfVariants = std::span<const HalfVariant<Real>>;

/// The variants of one law: k = 1 and 4, without and with the potential.
template <class Real, PairLaw kLaw>
HalfVariants<Real> half_of_law() {
    constexpr auto kNo = Softened::kNo;
    constexpr auto kAny = Order::kAny;
    constexpr auto kWhole = Split::kNo;
    static constexpr std::array all{
        HalfVariant<Real>{1, false, false, &half_matrix<Real, 1, 2, kNo, false, kAny, kWhole, kLaw>},
        HalfVariant<Real>{4, false, false, &half_matrix<Real, 4, 2, kNo, false, kAny, kWhole, kLaw>},
        HalfVariant<Real>{1, false, true, &half_matrix<Real, 1, 2, kNo, true, kAny, kWhole, kLaw>},
        HalfVariant<Real>{4, false, true, &half_matrix<Real, 4, 2, kNo, true, kAny, kWhole, kLaw>}};
    return all;
}
/// For a law other than gravity.
template <class Real>
HalfVariants<Real> half_of_law(PairLaw law) {
    return with_law(law, [&]<PairLaw kLaw>() { return half_of_law<Real, kLaw>(); });
}

/// k = 1, 2, 4, 8, 12; with the potential, which is rarely requested, only k = 1 and 4.
template <class Real, Order o>
HalfVariants<Real> half_variants() {
    constexpr int u = fitted_unrolling(std::is_same_v<Real, float>);
    using enum Softened;
    constexpr Split kWhole = Split::kNo;
    static constexpr std::array all{
        HalfVariant<Real>{1, true, false, &half_matrix<Real, 1, u, kYes, false, o, kWhole>},
        HalfVariant<Real>{2, true, false, &half_matrix<Real, 2, u, kYes, false, o, kWhole>},
        HalfVariant<Real>{4, true, false, &half_matrix<Real, 4, u, kYes, false, o, kWhole>},
        HalfVariant<Real>{8, true, false, &half_matrix<Real, 8, u, kYes, false, o, kWhole>},
        HalfVariant<Real>{12, true, false, &half_matrix<Real, 12, u, kYes, false, o, kWhole>},
        HalfVariant<Real>{1, true, true, &half_matrix<Real, 1, 2, kYes, true, o, kWhole>},
        HalfVariant<Real>{4, true, true, &half_matrix<Real, 4, 2, kYes, true, o, kWhole>},
        HalfVariant<Real>{1, false, false, &half_matrix<Real, 1, u, kNo, false, o, kWhole>},
        HalfVariant<Real>{2, false, false, &half_matrix<Real, 2, u, kNo, false, o, kWhole>},
        HalfVariant<Real>{4, false, false, &half_matrix<Real, 4, u, kNo, false, o, kWhole>},
        HalfVariant<Real>{8, false, false, &half_matrix<Real, 8, u, kNo, false, o, kWhole>},
        HalfVariant<Real>{12, false, false, &half_matrix<Real, 12, u, kNo, false, o, kWhole>},
        HalfVariant<Real>{1, false, true, &half_matrix<Real, 1, 2, kNo, true, o, kWhole>},
        HalfVariant<Real>{4, false, true, &half_matrix<Real, 4, 2, kNo, true, o, kWhole>}};
    return all;
}

/// The same for split positions: one kernel for both with and without softening.
template <Order o>
HalfVariants<float> half_split_variants() {
    constexpr Softened kEither = Softened::kNo;
    constexpr Split kSplit = Split::kYes;
    using V = HalfVariant<float>;
    static constexpr std::array all{V{1, false, false, &half_matrix<float, 1, 8, kEither, false, o, kSplit>},
                                    V{2, false, false, &half_matrix<float, 2, 8, kEither, false, o, kSplit>},
                                    V{4, false, false, &half_matrix<float, 4, 8, kEither, false, o, kSplit>},
                                    V{8, false, false, &half_matrix<float, 8, 8, kEither, false, o, kSplit>},
                                    V{12, false, false, &half_matrix<float, 12, 8, kEither, false, o, kSplit>},
                                    V{1, false, true, &half_matrix<float, 1, 2, kEither, true, o, kSplit>},
                                    V{4, false, true, &half_matrix<float, 4, 2, kEither, true, o, kSplit>}};
    return all;
}

// core/CMakeLists.txt compiles each in its own unit.
extern template HalfVariants<float> half_variants<float, Order::kAny>();
extern template HalfVariants<float> half_variants<float, Order::kFixed>();
extern template HalfVariants<double> half_variants<double, Order::kAny>();
extern template HalfVariants<double> half_variants<double, Order::kFixed>();
extern template HalfVariants<float> half_split_variants<Order::kAny>();
extern template HalfVariants<float> half_split_variants<Order::kFixed>();
extern template HalfVariants<float> half_of_law<float>(PairLaw);
extern template HalfVariants<double> half_of_law<double>(PairLaw);

}  // namespace orrery::cuda
