// SPDX-License-Identifier: MIT
// The kernels of `half` beside its matrix: sums in floating and in fixed point, and jerks.
#pragma once
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

inline constexpr unsigned kPrepareThreads = 128;

/// One block per tile. Clears the tile's sums, and determines the common mass of its bodies: NaN if masses differ, if
/// the tile is not full (padding has mass 0), or if `look` is false.
template <class Real>
__global__ void prepare_tiles(HalfArgs<Real> in, unsigned side, bool look, Real* masses) {
    const std::uint64_t first = std::uint64_t{blockIdx.x} * side;
    for (unsigned i = threadIdx.x; i < side && first + i < in.count; i += kPrepareThreads)
        for (unsigned c = 0; c < in.copies; ++c) static_cast<Vec4<Real>*>(in.sums)[c * in.count + first + i] = {};
    const Real mass = in.bodies[first].w;
    bool same = look && first + side <= in.count;
    for (unsigned i = threadIdx.x; same && i < side; i += kPrepareThreads) same = in.bodies[first + i].w == mass;
    const bool all = __syncthreads_and(same);
    if (threadIdx.x == 0) masses[blockIdx.x] = all ? mass : Real(NAN);
}

/// In double: this costs nothing beside reading the copies.
template <class Real>
__device__ Vec4<Real> sum_of_copies(const HalfArgs<Real>& in, std::uint64_t body) {
    Vec4d sum{};
#pragma unroll 4
    for (unsigned c = 0; c < in.copies; ++c) {
        const Vec4<Real> part = static_cast<const Vec4<Real>*>(in.sums)[c * in.count + body];
        sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
    }
    return convert<Real>(sum);
}

/// Adds all copies into the first one.
template <class Real>
__global__ void join_copies(const HalfArgs<Real> in) {
    const std::uint64_t i = thread_index();
    if (i >= in.count) return;
    static_cast<Vec4<Real>*>(in.sums)[i] = sum_of_copies(in, i);
}

template <class Real, class Finish>
__global__ void add_copies(const HalfArgs<Real> in, Vec4<Real>* acceleration, Finish finish) {
    const std::uint64_t i = thread_index();
    if (i >= in.count) return;
    acceleration[i] = finish(sum_of_copies(in, i), i);
}

/// Eight integers per body and copy; see HalfSums.
inline constexpr std::uint64_t kFixedBytes = 8 * sizeof(std::uint64_t);

/// Chooses the scales from size, mass and softening of the bodies, for up to `additions` additions to a sum. With
/// `velocity` there are two scales; the `force` of the second is for jerks.
template <class Real>
void enqueue_fixed_scales(const Vec4<Real>* bodies, const Vec4<Real>* velocity, std::uint64_t count, double softening,
                          std::uint64_t additions, FixedScales* d_scales, cudaStream_t stream);

/// Writes accelerations (w: potential) from the sums in `in`; all are NaN after an overflow.
template <class Real>
void enqueue_add_fixed(const HalfArgs<Real>& in, Vec4<Real>* acceleration, Real G, cudaStream_t stream);

/// The half matrix with jerks: forces and jerks are equal and opposite, so each pair is still computed once. `in` has
/// positions and sums of accelerations with potentials; `motion` has the velocities (in `bodies`) and the sums and
/// scales of jerks. Launched as half_matrix, with a MovingRing per warp.
template <class Real>
using HalfJerkKernel = void (*)(HalfArgs<Real> in, HalfArgs<Real> motion);

/// ColumnRing with velocities.
template <class Real>
struct MovingRing {
    Vec4<Real> place[64], velocity[64];
};

/// k: row bodies per lane, 1 or 4.
template <class Real>
HalfJerkKernel<Real> half_jerk_kernel(int k, Order order);

}  // namespace orrery::cuda
