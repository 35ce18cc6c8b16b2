// SPDX-License-Identifier: MIT
#pragma once
// The menu of compiled kernels.
#include <span>

#include "core/engines/cuda/fmm/data.cuh"

namespace orrery::cuda {

/// The far-field kernels of one order.
template <class Real>
struct FarVariant {
    int order;
    bool potential;
    void (*clusters)(FmmArgs<Real>);
    void (*groups)(FmmArgs<Real>);
};
std::span<const FarVariant<float>> far_float();
std::span<const FarVariant<double>> far_double();

template <class Real>
struct NearVariant {
    int bodies;  ///< bodies per lane; a group has up to 32 times as many
    bool softened, potential, split;
    int warps;  ///< per block
    void (*kernel)(FmmArgs<Real>);
};
std::span<const NearVariant<float>> near_float();
std::span<const NearVariant<double>> near_double();

inline constexpr unsigned kFarTargets = 4;  ///< clusters or groups per block of 128 threads

}  // namespace orrery::cuda
