// SPDX-License-Identifier: MIT
#pragma once
// The tiled all-pairs kernel (GPU Gems 3, ch. 31) with k bodies per thread, and the subsequent reduction.
#include <array>
#include <span>
#include <type_traits>
#include <utility>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/direct/tuning.hpp"
#include "core/physics/pair.cuh"

namespace orrery::cuda {

/// Rows × columns of one launch. A panel of columns is divided into `splits`; a block takes k·p rows and one split.
template <class Real>
struct TiledArgs {
    const Vec4<Real>* bodies;
    const Vec4<Real>* low;  ///< as in BodyView::low
    Vec4<Real>* partial;    ///< sums, [split][body]
    std::uint64_t count;
    std::uint64_t first_item;                 ///< item = row block · splits + split
    std::uint64_t first_column, last_column;  ///< of the panel
    unsigned splits;
    Real softening2;
    PairConstants<Real> law;  ///< for laws other than gravity, where w of `bodies` is the strength
};

template <class Real>
__device__ __forceinline__ void add_to_sum(Vec4<Real>& sum, const Vec4<Real>& part) {
    sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
}

/// p = blockDim.x threads have k rows each, with stride p; q = blockDim.y such groups share the columns of the tile.
/// In single precision a thread sums kColumnsOfSum columns in registers before it adds them to `partial`. Columns are
/// summed from the last to the first: initial conditions begin with their heaviest bodies, and a sum that already
/// contains a large term loses digits of each small one. Dynamic shared memory: p·q bodies, as PointMass.
template <class Real, int kRows, int kUnroll, Softened kSoftened, bool kPotential, Split kSplit,
          PairLaw kLaw = PairLaw::kGravity>
__global__ void tiled(TiledArgs<Real> in) {
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    using Body = PointMass<Real, kSplit>;
    auto* tile = reinterpret_cast<Body*>(shared_bytes);
    const unsigned p = blockDim.x, q = blockDim.y, width = p * q;
    const std::uint64_t item = in.first_item + blockIdx.x;
    const unsigned split = static_cast<unsigned>(item % in.splits);
    const std::uint64_t first_row = item / in.splits * (p * kRows) + threadIdx.x;
    const unsigned own = threadIdx.y * p + threadIdx.x, mirrored = threadIdx.y * p + (p - 1 - threadIdx.x);

    Body self[kRows];
    Sum<Real> sum[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        const std::uint64_t row = first_row + k * p;
        self[k] =
            point_mass<kSplit>(in.bodies, in.low,
                               row < in.count ? row : in.count - 1);  // padding repeats the last row and is not stored
    }

    // The q groups process different columns of the same rows: group 0 adds the sums that the others leave in shared
    // memory.
    bool first_sum = true;
    const auto add_to_partial = [&] {
#pragma unroll
        for (int k = 0; k < kRows; ++k) {
            Vec4<Real> total{sum[k].x, sum[k].y, sum[k].z, sum[k].w};
            sum[k] = {};
            if (q > 1) {
                __syncthreads();
                tile[own].at = total;
                __syncthreads();
                for (unsigned group = 1; threadIdx.y == 0 && group < q; ++group)
                    add_to_sum(total, tile[group * p + threadIdx.x].at);
            }
            const std::uint64_t row = first_row + k * p;
            if (threadIdx.y != 0 || row >= in.count) continue;
            Vec4<Real>& partial = in.partial[split * in.count + row];
            if (!first_sum) add_to_sum(total, partial);
            partial = total;
        }
        first_sum = false;
    };

    const std::uint64_t tiles = (in.last_column - in.first_column + width - 1) / width;
    const std::uint64_t first_tile = tiles * split / in.splits, last_tile = tiles * (split + 1) / in.splits;
    unsigned columns = 0;
    for (std::uint64_t i = first_tile; i < last_tile; ++i) {
        const std::uint64_t t = first_tile + last_tile - 1 - i, column = in.first_column + t * width + own;
        __syncthreads();
        // Padding has mass 0 and exerts no force.
        tile[mirrored] = column < in.last_column ? point_mass<kSplit>(in.bodies, in.low, column) : Body{};
        __syncthreads();
        const Body* others = tile + threadIdx.y * p;
        // Index among them of the thread's first row, if it is one of them.
        const auto ahead = static_cast<long long>(in.first_column + t * width + threadIdx.y * p + p - 1 - first_row);
        for (unsigned j = 0; j < p; j += kUnroll) {
#pragma unroll
            for (int u = 0; u < kUnroll; ++u) {
                const Body other = others[j + u];
                const auto place = static_cast<long long>(j) + u;
#pragma unroll
                for (int k = 0; k < kRows; ++k)
                    if constexpr (kLaw == PairLaw::kGravity)
                        add_acceleration<kSoftened, kPotential>(
                            sum[k], self[k], other,
                            mass_beside<kPotential>(other, place == ahead - static_cast<long long>(k * p)),
                            in.softening2);
                    else
                        add_pull<kLaw, kPotential>(sum[k], self[k].at, other.at, in.law);
            }
        }
        columns += p;
        if (std::is_same_v<Real, float> && columns >= kColumnsOfSum && i + 1 < last_tile) add_to_partial(), columns = 0;
    }
    add_to_partial();
}

/// One compiled kernel of the family.
template <class Real>
struct TiledVariant {
    int k, u;
    bool potential;
    void (*kernel)(TiledArgs<Real>);
};

template <class Real, Softened kSoftened, Split kSplit, bool kPotential, int kRows, int kUnroll>
constexpr TiledVariant<Real> tiled_variant() {
    return {kRows, kUnroll, kPotential, &tiled<Real, kRows, kUnroll, kSoftened, kPotential, kSplit>};
}

/// The variants of one law: k = 2, u = 4, without and with the potential.
template <class Real, PairLaw kLaw>
std::span<const TiledVariant<Real>> tiled_of_law() {
    constexpr Split kWhole = Split::kNo;
    static constexpr std::array menu{
        TiledVariant<Real>{2, 4, false, &tiled<Real, 2, 4, Softened::kNo, false, kWhole, kLaw>},
        TiledVariant<Real>{2, 4, true, &tiled<Real, 2, 4, Softened::kNo, true, kWhole, kLaw>}};
    return menu;
}
/// For a law other than gravity.
template <class Real>
std::span<const TiledVariant<Real>> tiled_of_law(PairLaw law) {
    return with_law(law, [&]<PairLaw kLaw>() { return tiled_of_law<Real, kLaw>(); });
}

/// k = 1, 2, 4, 8 by u = 1, 2, …, 32; with the potential, which is rarely requested, only k = 2, u = 4.
template <class Real, Softened kSoftened, Split kSplit, int... i>
constexpr auto tiled_family(std::integer_sequence<int, i...>) {
    return std::array{tiled_variant<Real, kSoftened, kSplit, false, 1 << (i / 6), 1 << (i % 6)>()...,
                      tiled_variant<Real, kSoftened, kSplit, true, 2, 4>()};
}
/// Kernels for split positions work with or without softening.
template <class Real, Softened kSoftened, Split kSplit>
std::span<const TiledVariant<Real>> tiled_family() {
    static constexpr auto menu = tiled_family<Real, kSoftened, kSplit>(std::make_integer_sequence<int, 24>{});
    return menu;
}

// core/CMakeLists.txt compiles each in its own unit.
extern template std::span<const TiledVariant<float>> tiled_family<float, Softened::kYes, Split::kNo>();
extern template std::span<const TiledVariant<float>> tiled_family<float, Softened::kNo, Split::kNo>();
extern template std::span<const TiledVariant<float>> tiled_family<float, Softened::kNo, Split::kYes>();
extern template std::span<const TiledVariant<double>> tiled_family<double, Softened::kYes, Split::kNo>();
extern template std::span<const TiledVariant<double>> tiled_family<double, Softened::kNo, Split::kNo>();
extern template std::span<const TiledVariant<float>> tiled_of_law<float>(PairLaw);
extern template std::span<const TiledVariant<double>> tiled_of_law<double>(PairLaw);

}  // namespace orrery::cuda
