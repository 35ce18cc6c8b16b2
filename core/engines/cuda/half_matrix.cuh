// SPDX-License-Identifier: MIT
#pragma once
// The symmetric half matrix: a block per tile of the triangle, reached through a thread map; each pair is computed once
// and acts on both bodies.
#include <array>
#include <span>

#include "core/cuda/launch.cuh"
#include "core/maps/any_map.hpp"
#include "core/physics/pull.cuh"

namespace orrery::cuda {

template <class Real>
struct HalfArgs {
    const Vec4<Real>* bodies;
    Vec4<Real>* sums;       ///< copies × count, summed up afterwards: short chains of additions lose fewer digits
    const Real* tile_mass;  ///< per tile the mass of all its bodies, or NaN where they differ or the tile is not full
    std::uint64_t count;
    AnyMap map;
    Grid grid;
    std::uint64_t first_item;  ///< block of the grid, counted along x, that blockIdx 0 is
    std::uint32_t rows;        ///< tiles on a side of the triangle
    unsigned copies;           ///< a power of two
    Real softening2;
};

/// Adds to memory that other blocks add to: one vector reduction where the device has them.
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

enum class Masses { kAny, kEqual };  ///< kEqual: one mass within the row tile and one within the column tile

/// Two different tiles. A lane keeps kRows row bodies and their sums in registers. 32 column bodies are read from
/// shared memory at an index that rotates by one each hop, while the reactions on them travel round the warp by
/// shuffle; after 32 hops they are home.
template <class Real, int kRows, int kUnroll, Softened kSoftened, bool kPotential, Masses kMasses>
__device__ __forceinline__ void meet(const HalfArgs<Real>& in, const Vec4<Real>* columns, Vec4<Real>* reactions,
                                     std::uint64_t first_column, Real row_mass, const Vec4<Real> (&self)[kRows],
                                     Sum<Real> (&sum)[kRows]) {
    const unsigned lane = threadIdx.x % 32, width = blockDim.x * kRows;
    // Each warp begins elsewhere, so that they do not add to the same columns at once.
    const unsigned start = threadIdx.x / 32 * (32 * kRows);
    for (unsigned step = 0; step < width; step += 32) {
        const unsigned chunk = (start + step) % width;
        Sum<Real> reaction;
        unsigned at = lane;
#pragma unroll kUnroll
        for (int hop = 0; hop < 32; ++hop) {
            const Vec4<Real> other = columns[chunk + at];
#pragma unroll
            for (int k = 0; k < kRows; ++k) {
                const Real dx = other.x - self[k].x, dy = other.y - self[k].y, dz = other.z - self[k].z;
                const Real distance2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, in.softening2)));
                const Real y = pair_rsqrt<kSoftened>(distance2);
                const Real cube = inverse_cube(distance2, y);
                const Real act = kMasses == Masses::kEqual ? cube : cube * other.w;
                const Real react = kMasses == Masses::kEqual ? cube : cube * self[k].w;
                sum[k].x = fma(dx, act, sum[k].x);
                sum[k].y = fma(dy, act, sum[k].y);
                sum[k].z = fma(dz, act, sum[k].z);
                reaction.x = fma(dx, -react, reaction.x);
                reaction.y = fma(dy, -react, reaction.y);
                reaction.z = fma(dz, -react, reaction.z);
                if constexpr (kPotential) {
                    Real inverse;
                    inverse_cube(distance2, y, Real(1), inverse);
                    sum[k].w = fma(inverse, other.w, sum[k].w);
                    reaction.w = fma(inverse, self[k].w, reaction.w);
                }
            }
            const unsigned next = (lane + 1) % 32;
            reaction.x = __shfl_sync(~0u, reaction.x, next);
            reaction.y = __shfl_sync(~0u, reaction.y, next);
            reaction.z = __shfl_sync(~0u, reaction.z, next);
            if constexpr (kPotential) reaction.w = __shfl_sync(~0u, reaction.w, next);
            at = (at + 1) % 32;
        }
        const std::uint64_t column = first_column + chunk + lane;
        const Real mass = kMasses == Masses::kEqual ? row_mass : Real(1);
        if (column < in.count)
            add_to(reactions[column], mass * reaction.x, mass * reaction.y, mass * reaction.z, reaction.w);
    }
}

/// A block per block of the grid. blockDim.x: 32 · warps; a tile has ρ = kRows · blockDim.x bodies; dynamic shared
/// memory: ρ bodies.
template <class Real, int kRows, int kUnroll, Softened kSoftened, bool kPotential>
__global__ void half_matrix(HalfArgs<Real> in) {
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    auto* columns = reinterpret_cast<Vec4<Real>*>(shared_bytes);
    const std::uint64_t item = in.first_item + blockIdx.x;
    const Tile tile = in.map(in.grid.y == 1 ? Block{item, 0} : block_at(in.grid, item), in.rows);
    if (!useful(tile, in.rows)) return;

    const unsigned side = blockDim.x * kRows;
    const std::uint64_t first_row = std::uint64_t{tile.row} * side, first_column = std::uint64_t{tile.col} * side;
    const std::uint64_t own_row = first_row + threadIdx.x / 32 * (32 * kRows) + threadIdx.x % 32;
    Vec4<Real> self[kRows];
    Sum<Real> sum[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        const std::uint64_t row = own_row + 32 * k, column = first_column + threadIdx.x + k * blockDim.x;
        self[k] = row < in.count ? in.bodies[row] : Vec4<Real>{};  // padding has no mass: it pulls nothing
        columns[threadIdx.x + k * blockDim.x] = column < in.count ? in.bodies[column] : Vec4<Real>{};
    }
    __syncthreads();

    Vec4<Real>* const sums = in.sums + ((tile.row ^ tile.col) & (in.copies - 1)) * in.count;
    Real scale = 1;
    if (tile.row == tile.col) {
        for (unsigned j = 0; j < side; ++j) {
            const Vec4<Real> other = columns[j];
#pragma unroll
            for (int k = 0; k < kRows; ++k) add_pull<kSoftened, kPotential>(sum[k], self[k], other, in.softening2);
        }
    } else {
        const Real row_mass = in.tile_mass[tile.row], column_mass = in.tile_mass[tile.col];
        if (!kPotential && row_mass == row_mass && column_mass == column_mass) {
            scale = column_mass;
            meet<Real, kRows, kUnroll, kSoftened, kPotential, Masses::kEqual>(in, columns, sums, first_column, row_mass,
                                                                              self, sum);
        } else {
            meet<Real, kRows, kUnroll, kSoftened, kPotential, Masses::kAny>(in, columns, sums, first_column, row_mass,
                                                                            self, sum);
        }
    }
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        const std::uint64_t row = own_row + 32 * k;
        if (row < in.count) add_to(sums[row], scale * sum[k].x, scale * sum[k].y, scale * sum[k].z, sum[k].w);
    }
}

/// One compiled kernel of the family.
template <class Real>
struct HalfVariant {
    int k;
    bool softened, potential;
    void (*kernel)(HalfArgs<Real>);
};

std::span<const HalfVariant<float>> half_float();
std::span<const HalfVariant<double>> half_double();

/// k = 1, 2, 4, 8, 12; with the potential, which is asked for rarely, only k = 1.
template <class Real, Softened s>
constexpr auto half_variants() {
    constexpr bool soft = s == Softened::kYes;
    return std::array{HalfVariant<Real>{1, soft, false, &half_matrix<Real, 1, 4, s, false>},
                      HalfVariant<Real>{2, soft, false, &half_matrix<Real, 2, 4, s, false>},
                      HalfVariant<Real>{4, soft, false, &half_matrix<Real, 4, 4, s, false>},
                      HalfVariant<Real>{8, soft, false, &half_matrix<Real, 8, 2, s, false>},
                      HalfVariant<Real>{12, soft, false, &half_matrix<Real, 12, 2, s, false>},
                      HalfVariant<Real>{1, soft, true, &half_matrix<Real, 1, 2, s, true>}};
}

}  // namespace orrery::cuda
