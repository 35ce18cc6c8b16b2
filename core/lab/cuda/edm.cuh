// SPDX-License-Identifier: MIT
// The work of edm on a pair: a vector load for each body, and one store that bypasses the caches.
#pragma once
#include <cstdint>

#include "core/lab/pairs.hpp"

namespace orrery::lab {

/// The hardware's square root, within one unit in the last place.
__device__ inline float near_root(float x) {
    float root = 0;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
}

template <int F>
struct WriteDistance {
    const Features<F>* bodies;
    float* matrix;
    std::uint32_t width;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const {
        const Features<F> a = load(i), b = load(j);
        __stcs(matrix + (std::uint64_t{i} * width + j), near_root(distance2(a, b)));
    }

private:
    __device__ Features<F> load(std::uint32_t i) const {
        if constexpr (F == 1) return {__ldg(&bodies[i].x)};
        if constexpr (F == 2) {
            const float2 v = __ldg(reinterpret_cast<const float2*>(bodies) + i);
            return {v.x, v.y};
        }
        if constexpr (F >= 3) {
            const float4 v = __ldg(reinterpret_cast<const float4*>(bodies) + i);
            return {v.x, v.y, v.z, v.w};
        }
    }
};

}  // namespace orrery::lab
