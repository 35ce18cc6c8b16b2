// SPDX-License-Identifier: MIT
#pragma once
// Reference for errors of accelerations, on a device.
#include <cstdint>

#include "core/base/vec.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/law.hpp"

namespace orrery::cuda {

inline constexpr unsigned kReferenceThreads = 256;

/// Minimum number of source bodies per block; with more bodies, several blocks share a sample.
inline constexpr std::uint64_t kReferenceShare = 65'536;
inline constexpr std::uint64_t kMostReferenceShares = 64;

/// BodySystem::references() of the bodies `which`: gridDim.y blocks per body, each of which writes its part of the sum
/// to out[share · samples + sample]; in double, by direct summation.
template <class Real>
__global__ void reference_rows(const Vec4<Real>* bodies, std::uint64_t count, const std::uint32_t* which,
                               std::uint64_t samples, double softening2, double G, Vec4d* out) {
    __shared__ double shared[kReferenceThreads][3];
    const std::uint64_t i = which[blockIdx.x];
    const Vec4<Real> self = bodies[i];
    double x = 0, y = 0, z = 0;
    const std::uint64_t begin = std::uint64_t{blockIdx.y} * kReferenceThreads + threadIdx.x;
    for (std::uint64_t j = begin; j < count; j += std::uint64_t{kReferenceThreads} * gridDim.y) {
        const Vec4<Real> other = bodies[j];
        const double dx = double(other.x) - self.x, dy = double(other.y) - self.y, dz = double(other.z) - self.z;
        const double r2 = dx * dx + dy * dy + dz * dz + softening2;
        if (j == i || r2 <= kTouching<double>) continue;
        const double s = other.w / (r2 * sqrt(r2));
        x += s * dx, y += s * dy, z += s * dz;
    }
    shared[threadIdx.x][0] = x, shared[threadIdx.x][1] = y, shared[threadIdx.x][2] = z;
    for (unsigned half = kReferenceThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (int c = 0; c < 3; ++c) shared[threadIdx.x][c] += shared[threadIdx.x + half][c];
    }
    if (threadIdx.x == 0)
        out[blockIdx.y * samples + blockIdx.x] = {G * shared[0][0], G * shared[0][1], G * shared[0][2], 0};
}

/// Same for triplets.
template <class Real>
__global__ void reference_triplets(const Vec4<Real>* bodies, std::uint64_t count, const std::uint32_t* which,
                                   std::uint64_t samples, double softening2, double nu, Vec4d* out) {
    __shared__ Vec4d shared[kReferenceThreads];
    const std::uint64_t i = which[blockIdx.x];
    const auto body = [&](std::uint64_t at) {
        const Vec4<Real> b = bodies[at];
        return Vec4d{double(b.x), double(b.y), double(b.z), double(b.w)};
    };
    const Vec3d self = xyz(body(i));
    Vec4d sum{};
    for (std::uint64_t j = 0; j < count; ++j)
        for (std::uint64_t k = j + 1 + threadIdx.x; k < count; k += kReferenceThreads)
            if (j != i && k != i) add_triplet_push(sum, self, body(j), body(k), softening2);
    shared[threadIdx.x] = sum;
    for (unsigned half = kReferenceThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            const Vec4d other = shared[threadIdx.x + half];
            Vec4d& own = shared[threadIdx.x];
            own = {own.x + other.x, own.y + other.y, own.z + other.z, own.w + other.w};
        }
    }
    if (threadIdx.x == 0) out[blockIdx.x] = {nu * shared[0].x, nu * shared[0].y, nu * shared[0].z, nu * shared[0].w};
}

}  // namespace orrery::cuda
