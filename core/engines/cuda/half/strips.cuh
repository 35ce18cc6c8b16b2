// SPDX-License-Identifier: MIT
// The half matrix in strips: a block processes several consecutive blocks of the map's grid. Row bodies and their sums
// stay in registers while the row lasts, so that fewer blocks are launched and rows are added to memory less often.
#pragma once
#include <array>

#include "core/engines/cuda/half/matrix.cuh"
#include "core/maps/any_map.hpp"

namespace orrery::cuda {

/// Columns that a sum in registers takes up before it is added to memory, as in the largest tiles: a longer sum in
/// float would lose digits.
inline constexpr unsigned kLongestRun = 2048;

/// One CUDA block per strip; threads, tiles and shared memory as in half_matrix, for gravity without potentials.
template <class Real, int kRows, int kUnroll, Softened kSoftened, Order kOrder>
__global__ void half_strips(const __grid_constant__ HalfArgs<Real> in) {
    constexpr Split kSplit = Split::kNo;
    constexpr PairLaw kLaw = PairLaw::kGravity;
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    auto& ring = reinterpret_cast<ColumnRing<Real, kSplit>*>(shared_bytes)[threadIdx.x / 32];
    const unsigned side = blockDim.x * kRows, own = threadIdx.x / 32 * (32 * kRows) + threadIdx.x % 32;
    PointMass<Real, kSplit> self[kRows];
    Sum<Real> sum[kRows];
    // The sums are those of row tile `row`, in units of the mass `unit` of its column bodies, over `run` columns.
    std::uint32_t row = ~0u, last_column = 0;
    Real unit = 1;
    unsigned run = 0;
    const auto flush = [&] {
        if (run == 0) return;
        HalfSums<Real, kOrder> sums{in, (row ^ last_column) & (in.copies - 1)};
#pragma unroll
        for (int k = 0; k < kRows; ++k) {
            const std::uint64_t body = std::uint64_t{row} * side + own + 32 * k;
            if (body < in.count) sums.add(body, unit * sum[k].x, unit * sum[k].y, unit * sum[k].z, 0);
            sum[k] = {};
        }
        run = 0;
    };
    for (TileStrip strip{in.map, in.grid, in.tile_rows, in.strip, in.first_item + blockIdx.x}; strip.more();
         strip.advance()) {
        const Tile tile = strip.tile();
        if (!useful(tile, in.tile_rows)) continue;
        const bool within = tile.row == tile.col;
        const Real row_mass = in.tile_mass[tile.row], column_mass = in.tile_mass[tile.col];
        const bool equal = !within && row_mass == row_mass && column_mass == column_mass;
        const Real wanted = equal ? column_mass : Real(1);
        if (tile.row != row || wanted != unit || run + side > kLongestRun) flush();
        if (tile.row != row) {
            row = tile.row;
#pragma unroll
            for (int k = 0; k < kRows; ++k) self[k] = body_at<kSplit>(in, std::uint64_t{row} * side + own + 32 * k);
        }
        unit = wanted, last_column = tile.col, run += side;
        HalfSums<Real, kOrder> reactions{in, (tile.row ^ tile.col) & (in.copies - 1)};
        const std::uint64_t first_column = std::uint64_t{tile.col} * side;
        if (within)
            interact_within<Real, kRows, kSoftened, false, kSplit, kLaw>(in, ring, first_column, self, sum);
        else if (equal)
            interact<Real, kRows, kUnroll, kSoftened, false, Masses::kEqual, kOrder, kSplit, kLaw>(
                in, ring, reactions, first_column, row_mass, self, sum);
        else
            interact<Real, kRows, kUnroll, kSoftened, false, Masses::kAny, kOrder, kSplit, kLaw>(
                in, ring, reactions, first_column, row_mass, self, sum);
    }
    flush();
}

/// k = 1, 2 and 4, for tiles up to 128 bodies in one block of 32 threads: with more rows per thread the registers are
/// needed for the rows, and large tiles gain nothing.
template <class Real, Order o>
HalfVariants<Real> half_strip_variants() {
    constexpr int u = fitted_unrolling(std::is_same_v<Real, float>);
    using enum Softened;
    static constexpr std::array all{HalfVariant<Real>{1, true, false, &half_strips<Real, 1, u, kYes, o>},
                                    HalfVariant<Real>{2, true, false, &half_strips<Real, 2, u, kYes, o>},
                                    HalfVariant<Real>{4, true, false, &half_strips<Real, 4, u, kYes, o>},
                                    HalfVariant<Real>{1, false, false, &half_strips<Real, 1, u, kNo, o>},
                                    HalfVariant<Real>{2, false, false, &half_strips<Real, 2, u, kNo, o>},
                                    HalfVariant<Real>{4, false, false, &half_strips<Real, 4, u, kNo, o>}};
    return all;
}

// core/CMakeLists.txt compiles each in its own unit.
extern template HalfVariants<float> half_strip_variants<float, Order::kAny>();
extern template HalfVariants<float> half_strip_variants<float, Order::kFixed>();
extern template HalfVariants<double> half_strip_variants<double, Order::kAny>();
extern template HalfVariants<double> half_strip_variants<double, Order::kFixed>();

}  // namespace orrery::cuda
