// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "core/base/vec.hpp"

namespace orrery::cuda {

inline constexpr unsigned kMostShares = 1024;

/// Enqueues subtracting the mass-weighted mean of the accelerations of `count` bodies from each of them. By Newton's
/// third law it is 0, but each target has its own interactions, whose errors differ. The same bits on every run,
/// because bodies are added in the scene's order. `partial`: memory for kMostShares vectors; `tickets`: see
/// last_of_grid(). Accelerations stay as they are if their mean is not finite.
template <class Real>
void subtract_mean_acceleration(const Vec4<Real>* position_mass, Vec4<Real>* acceleration, std::uint64_t count,
                                Vec4<double>* partial, std::uint32_t* tickets, cudaStream_t stream);

}  // namespace orrery::cuda
