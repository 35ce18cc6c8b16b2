// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

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
