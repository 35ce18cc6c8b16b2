// SPDX-License-Identifier: MIT
// Conservation of momentum: the net force of all interactions is taken out.
#include "core/engines/cuda/fmm/momentum.cuh"

#include <cub/block/block_reduce.cuh>

#include "core/engines/cuda/tree/cells.cuh"

namespace orrery::cuda {
namespace {

struct VectorSum {
    __device__ Vec4<double> operator()(const Vec4<double>& a, const Vec4<double>& b) const {
        return {a.x + b.x, a.y + b.y, a.z + b.z, 0};
    }
};

/// Each block adds a share of the forces, and the last block the shares, in a fixed order; shares[0] is then the mean
/// acceleration, in the scene's units.
template <class Real>
__global__ void add_forces(const __grid_constant__ FmmArgs<Real> in, std::uint64_t groups, Vec4<double>* shares) {
    using Reduce = cub::BlockReduce<Vec4<double>, kBlock>;
    __shared__ typename Reduce::TempStorage memory;
    Vec4<double> sum{};
    for (std::uint64_t i = thread_index(); i < groups; i += std::uint64_t{gridDim.x} * kBlock) {
        const Vec4<Real> force = in.forces[i];
        sum = VectorSum{}(sum, {force.x, force.y, force.z, 0});
    }
    sum = Reduce{memory}.Reduce(sum, VectorSum{});
    if (threadIdx.x == 0) shares[blockIdx.x] = sum;
    if (!last_of_grid(&in.tree.state->tickets)) return;
    sum = threadIdx.x < gridDim.x ? shares[threadIdx.x] : Vec4<double>{};
    sum = Reduce{memory}.Reduce(sum, VectorSum{});
    if (threadIdx.x > 0) return;
    const double factor = in.tree.state->units.acceleration * in.G / in.tree.nodes[in.tree.root].centre.w;
    sum = {factor * sum.x, factor * sum.y, factor * sum.z, 0};
    shares[0] = isfinite(sum.x + sum.y + sum.z) ? sum : Vec4<double>{};
}

template <class Real>
__global__ void subtract(const Vec4<double>* mean, Vec4<Real>* acceleration, std::uint64_t count) {
    const Vec3<Real> by{static_cast<Real>(mean->x), static_cast<Real>(mean->y), static_cast<Real>(mean->z)};
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{gridDim.x} * kBlock) {
        const Vec4<Real> a = acceleration[i];
        acceleration[i] = {a.x - by.x, a.y - by.y, a.z - by.z, a.w};
    }
}

}  // namespace

template <class Real>
void subtract_mean_acceleration(const FmmArgs<Real>& in, std::uint64_t groups, std::uint64_t count,
                                Vec4<double>* partial, cudaStream_t stream) {
    static_assert(kMostShares <= kBlock);
    launch("add_forces", threads_for(groups, kMostShares), stream, add_forces<Real>, in, groups, partial);
    launch("subtract", threads_for(count), stream, subtract<Real>, partial, in.acceleration, count);
}

template void subtract_mean_acceleration(const FmmArgs<float>&, std::uint64_t, std::uint64_t, Vec4<double>*,
                                         cudaStream_t);
template void subtract_mean_acceleration(const FmmArgs<double>&, std::uint64_t, std::uint64_t, Vec4<double>*,
                                         cudaStream_t);

}  // namespace orrery::cuda
