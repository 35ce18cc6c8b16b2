// SPDX-License-Identifier: MIT
#pragma once
// Fixed-point sums, which `half` uses when the result must not depend on the order of blocks.
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

/// Eight integers per body and copy; see HalfSums.
inline constexpr std::uint64_t kFixedBytes = 8 * sizeof(std::uint64_t);

/// Chooses the scales from size, mass and softening of the bodies, for up to `additions` additions to a sum. With
/// `velocity` there are two scales; the `force` of the second is for jerks.
template <class Real>
void enqueue_fixed_scales(const Vec4<Real>* bodies, const Vec4<Real>* velocity, std::uint64_t count, double softening,
                          std::uint64_t additions, FixedScales* d_scales, cudaStream_t stream);

/// Writes accelerations (w: potential) from the sums in `in`; all are NaN after an overflow.
template <class Real>
void enqueue_add_fixed(const HalfArgs<Real>& in, Vec4<Real>* acceleration, Real G, cudaStream_t stream);

}  // namespace orrery::cuda
