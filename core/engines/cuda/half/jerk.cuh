// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

/// The half matrix with jerks: forces and jerks are equal and opposite, so that each pair is still computed once. `in`
/// is of places and accelerations with their potentials; `motion` the same of velocities (`bodies`) and jerks (`sums`,
/// `scales`). Launched as half_matrix, with a ring of MovingRing per warp.
template <class Real>
using HalfJerkKernel = void (*)(HalfArgs<Real> in, HalfArgs<Real> motion);

/// As ColumnRing, with velocities.
template <class Real>
struct MovingRing {
    Vec4<Real> place[64], velocity[64];
};

/// k: row bodies of a lane, 1 or 4.
HalfJerkKernel<float> half_jerk_float(int k, Order order);
HalfJerkKernel<double> half_jerk_double(int k, Order order);

}  // namespace orrery::cuda
