// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/cuda/fmm/data.cuh"

namespace orrery::cuda {

/// Enqueues subtracting the mass-weighted mean of the accelerations of `count` bodies, given FmmArgs::forces on
/// `groups` groups. By Newton's third law it is 0, but each target has its own interactions, whose errors differ.
/// `partial`: memory for kMostShares vectors. Accelerations that are not finite are left as they are.
inline constexpr unsigned kMostShares = 128;
template <class Real>
void subtract_mean_acceleration(const FmmArgs<Real>& in, std::uint64_t groups, std::uint64_t count,
                                Vec4<double>* partial, cudaStream_t stream);

}  // namespace orrery::cuda
