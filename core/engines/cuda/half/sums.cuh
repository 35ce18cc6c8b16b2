// SPDX-License-Identifier: MIT
#pragma once
// The steps of `half` before and after its matrix: clearing sums, and adding them up.
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

/// Adds all copies into the first one.
template <class Real>
__global__ void join_copies(const HalfArgs<Real> in) {
    const std::uint64_t i = thread_index();
    if (i >= in.count) return;
    auto* sums = static_cast<Vec4<Real>*>(in.sums);
    Vec4<Real> sum = sums[i];
    for (unsigned c = 1; c < in.copies; ++c) {
        const Vec4<Real> part = sums[c * in.count + i];
        sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
    }
    sums[i] = sum;
}

template <class Real, class Finish>
__global__ void add_copies(const HalfArgs<Real> in, Vec4<Real>* acceleration, Finish finish) {
    const std::uint64_t i = thread_index();
    if (i >= in.count) return;
    Vec4<Real> sum{};
#pragma unroll 4
    for (unsigned c = 0; c < in.copies; ++c) {
        const Vec4<Real> part = static_cast<const Vec4<Real>*>(in.sums)[c * in.count + i];
        sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
    }
    acceleration[i] = finish(sum, i);
}

}  // namespace orrery::cuda
