// SPDX-License-Identifier: MIT
#pragma once
// Kernels over the bodies of a DeviceSystem.
#include <cstddef>
#include <cstdint>

#include "core/base/vec.hpp"
#include "core/cuda/launch.cuh"

namespace orrery::cuda {

/// target += step · rate, of which w stays.
template <class Real>
__global__ void advance(Vec4<Real>* target, const Vec4<Real>* rate, Real step, std::size_t count) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    Vec4<Real> x = target[i];
    const Vec4<Real> v = rate[i];
    x.x += step * v.x, x.y += step * v.y, x.z += step * v.z;
    target[i] = x;
}

/// out[k] = in[k · count / samples], as sample_indices() has it on the host.
template <class T>
__global__ void gather(const T* in, T* out, std::uint64_t count, std::uint64_t samples) {
    const std::uint64_t k = thread_index();
    if (k < samples) out[k] = in[k * count / samples];
}

/// out[k] = in[which[k]]
template <class T>
__global__ void gather_some(const T* in, const std::uint32_t* which, T* out, std::uint64_t samples) {
    const std::uint64_t k = thread_index();
    if (k < samples) out[k] = in[which[k]];
}

inline constexpr unsigned kCentreThreads = 256, kCentreBlocks = 256;

/// Σ m x, Σ m y, Σ m z and Σ m, of a share of the bodies per block, in a fixed order.
template <class Real>
__global__ void weigh(const Vec4<Real>* bodies, std::uint64_t count, Vec4d* out) {
    __shared__ Vec4d shared[kCentreThreads];
    Vec4d sum{};
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{kCentreThreads} * kCentreBlocks) {
        const Vec4<Real> body = bodies[i];
        const double m = body.w;
        sum = {sum.x + m * body.x, sum.y + m * body.y, sum.z + m * body.z, sum.w + m};
    }
    shared[threadIdx.x] = sum;
    for (unsigned half = kCentreThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            const Vec4d other = shared[threadIdx.x + half];
            Vec4d& own = shared[threadIdx.x];
            own = {own.x + other.x, own.y + other.y, own.z + other.z, own.w + other.w};
        }
    }
    if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

/// first[0]: the first vector that is not finite. NaN and ∞ alike make a difference with themselves that is not 0.
template <class Real>
__global__ void find_not_finite(const Vec4<Real>* vectors, std::size_t count, unsigned long long* first) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const Vec4<Real> v = vectors[i];
    if (!((v.x - v.x) + (v.y - v.y) + (v.z - v.z) == 0)) atomicMin(first, static_cast<unsigned long long>(i));
}

}  // namespace orrery::cuda
