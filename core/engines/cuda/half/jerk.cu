// SPDX-License-Identifier: MIT
// The half-matrix kernel with jerks.
#include "core/engines/cuda/half/sums.cuh"

#include "core/physics/pair.cuh"

namespace orrery::cuda {
namespace {

template <class Real>
struct Moving {
    Vec4<Real> place, velocity;
};

/// Padding has mass 0 and exerts no force.
template <class Real>
__device__ __forceinline__ Moving<Real> moving_at(const HalfArgs<Real>& in, const HalfArgs<Real>& motion,
                                                  std::uint64_t i) {
    return i < in.count ? Moving<Real>{in.bodies[i], motion.bodies[i]} : Moving<Real>{};
}

/// Destination of one body's sums in global memory: acceleration and potential, and jerk.
template <class Real, Order kOrder>
struct JerkSums {
    HalfSums<Real, kOrder> accelerations, jerks;

    __device__ void add(std::uint64_t body, const JerkSum<Real>& sum) {
        accelerations.add(body, sum.acceleration.x, sum.acceleration.y, sum.acceleration.z, sum.acceleration.w);
        jerks.add(body, sum.jerk.x, sum.jerk.y, sum.jerk.z, 0);
    }
};

/// Shifts all parts of a sum to the value of the next lane.
template <class Real>
__device__ __forceinline__ void hop(JerkSum<Real>& sum, unsigned next) {
    const auto from_next = [next](Real& part) { part = __shfl_sync(~0u, part, next); };
    from_next(sum.acceleration.x), from_next(sum.acceleration.y), from_next(sum.acceleration.z),
        from_next(sum.acceleration.w);
    from_next(sum.jerk.x), from_next(sum.jerk.y), from_next(sum.jerk.z);
}

/// Interactions of two different tiles; see interact() in matrix.cuh.
template <class Real, int kRows, Order kOrder>
__device__ __forceinline__ void interact(const HalfArgs<Real>& in, const HalfArgs<Real>& motion, MovingRing<Real>& ring,
                                         JerkSums<Real, kOrder> reactions, std::uint64_t first_column,
                                         const Moving<Real> (&self)[kRows], JerkSum<Real> (&sum)[kRows]) {
    const unsigned lane = threadIdx.x % 32, width = blockDim.x * kRows, next = (lane + 1) % 32;
    // Each warp begins at a different position, so that warps do not add to the same columns at the same time.
    unsigned chunk = threadIdx.x / 32 * (32 * kRows);
    for (unsigned done = 0; done < width; done += 32) {
        const std::uint64_t column = first_column + chunk + lane;
        const Moving<Real> own = moving_at(in, motion, column);
        __syncwarp();
        ring.place[lane] = ring.place[lane + 32] = own.place;
        ring.velocity[lane] = ring.velocity[lane + 32] = own.velocity;
        __syncwarp();
        JerkSum<Real> reaction;
#pragma unroll 2
        for (unsigned turn = 0; turn < 32; ++turn) {
            const Vec4<Real> other = ring.place[lane + turn], velocity = ring.velocity[lane + turn];
#pragma unroll
            for (int k = 0; k < kRows; ++k) {
                const auto pair = moving_pair(self[k].place, self[k].velocity, other, velocity, Real(1), in.softening2);
                sum[k].add(pair, pair.factor * other.w, other.w);
                const Real mass = self[k].place.w;
                // Reversed direction; the potential is computed from `mass` and keeps its sign.
                reaction.add(pair, -pair.factor * mass, mass);
            }
            hop(reaction, next);
        }
        if (column < in.count) reactions.add(column, reaction);
        chunk = chunk + 32 == width ? 0 : chunk + 32;
    }
}

/// Interactions within a tile: each pair is computed twice, once for each body.
template <class Real, int kRows>
__device__ __forceinline__ void interact_within(const HalfArgs<Real>& in, const HalfArgs<Real>& motion,
                                                MovingRing<Real>& ring, std::uint64_t first,
                                                const Moving<Real> (&self)[kRows], JerkSum<Real> (&sum)[kRows]) {
    const unsigned lane = threadIdx.x % 32, mine = threadIdx.x / 32 * (32 * kRows) + lane;
    for (unsigned chunk = 0; chunk < blockDim.x * kRows; chunk += 32) {
        const Moving<Real> own = moving_at(in, motion, first + chunk + lane);
        __syncwarp();
        ring.place[lane] = own.place, ring.velocity[lane] = own.velocity;
        __syncwarp();
        for (unsigned j = 0; j < 32; ++j) {
            const Vec4<Real> other = ring.place[j], velocity = ring.velocity[j];
#pragma unroll
            for (int k = 0; k < kRows; ++k) {
                const auto pair = moving_pair(self[k].place, self[k].velocity, other, velocity, other.w, in.softening2);
                sum[k].add(pair, pair.factor, chunk + j == mine + 32 * k ? Real(0) : other.w);
            }
        }
    }
}

template <class Real, int kRows, Order kOrder>
__global__ void half_jerk(const __grid_constant__ HalfArgs<Real> in, const __grid_constant__ HalfArgs<Real> motion) {
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    const std::uint64_t item = in.first_item + blockIdx.x;
    const Tile tile = in.map(in.grid.y == 1 ? Block{item, 0} : block_at(in.grid, item), in.tile_rows);
    if (!useful(tile, in.tile_rows)) return;

    auto& ring = reinterpret_cast<MovingRing<Real>*>(shared_bytes)[threadIdx.x / 32];
    const unsigned side = blockDim.x * kRows;
    const std::uint64_t first_row = std::uint64_t{tile.row} * side, first_column = std::uint64_t{tile.col} * side;
    const std::uint64_t own_row = first_row + threadIdx.x / 32 * (32 * kRows) + threadIdx.x % 32;
    Moving<Real> self[kRows];
    JerkSum<Real> sum[kRows];
#pragma unroll
    for (int k = 0; k < kRows; ++k) self[k] = moving_at(in, motion, own_row + 32 * k);

    const unsigned copy = (tile.row ^ tile.col) & (in.copies - 1);
    JerkSums<Real, kOrder> sums{{in, copy}, {motion, copy}};
    if (tile.row == tile.col)
        interact_within<Real, kRows>(in, motion, ring, first_column, self, sum);
    else
        interact<Real, kRows, kOrder>(in, motion, ring, sums, first_column, self, sum);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
        const std::uint64_t row = own_row + 32 * k;
        if (row < in.count) sums.add(row, sum[k]);
    }
}

}  // namespace

template <class Real>
HalfJerkKernel<Real> half_jerk_kernel(int k, Order order) {
    if (k == 4) return order == Order::kFixed ? half_jerk<Real, 4, Order::kFixed> : half_jerk<Real, 4, Order::kAny>;
    return order == Order::kFixed ? half_jerk<Real, 1, Order::kFixed> : half_jerk<Real, 1, Order::kAny>;
}

template HalfJerkKernel<float> half_jerk_kernel<float>(int, Order);
template HalfJerkKernel<double> half_jerk_kernel<double>(int, Order);

}  // namespace orrery::cuda
