// SPDX-License-Identifier: MIT
// Conservation of momentum: the net force of all interactions is taken out.
#include "core/engines/cuda/fmm/momentum.cuh"

#include <cub/block/block_reduce.cuh>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree/cells.cuh"

namespace orrery::cuda {
namespace {

struct VectorSum {
    __device__ Vec4<double> operator()(const Vec4<double>& a, const Vec4<double>& b) const {
        return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    }
};

/// Each block adds m·a and m of a share of the bodies, and the last block the shares, in a fixed order; shares[0] is
/// then the mean acceleration.
template <class Real>
__global__ void add_forces(const Vec4<Real>* position_mass, const Vec4<Real>* acceleration, std::uint64_t count,
                           Vec4<double>* shares, std::uint32_t* tickets) {
    using Reduce = cub::BlockReduce<Vec4<double>, kBlock>;
    __shared__ typename Reduce::TempStorage memory;
    Vec4<double> sum{};
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{gridDim.x} * kBlock) {
        const Vec4<Real> a = acceleration[i];
        const double mass = position_mass[i].w;
        sum = VectorSum{}(sum, {mass * a.x, mass * a.y, mass * a.z, mass});
    }
    sum = Reduce{memory}.Reduce(sum, VectorSum{});
    if (threadIdx.x == 0) shares[blockIdx.x] = sum;
    if (!last_of_grid(tickets)) return;
    sum = {};
    for (unsigned i = threadIdx.x; i < gridDim.x; i += kBlock) sum = VectorSum{}(sum, shares[i]);
    sum = Reduce{memory}.Reduce(sum, VectorSum{});
    if (threadIdx.x > 0) return;
    sum = {sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, 0};
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
void subtract_mean_acceleration(const Vec4<Real>* position_mass, Vec4<Real>* acceleration, std::uint64_t count,
                                Vec4<double>* partial, std::uint32_t* tickets, cudaStream_t stream) {
    if (count == 0) return;
    launch("add_forces", threads_for(count, kMostShares), stream, add_forces<Real>, position_mass, acceleration, count,
           partial, tickets);
    launch("subtract", threads_for(count), stream, subtract<Real>, partial, acceleration, count);
}

template void subtract_mean_acceleration(const Vec4<float>*, Vec4<float>*, std::uint64_t, Vec4<double>*, std::uint32_t*,
                                         cudaStream_t);
template void subtract_mean_acceleration(const Vec4<double>*, Vec4<double>*, std::uint64_t, Vec4<double>*,
                                         std::uint32_t*, cudaStream_t);

}  // namespace orrery::cuda
