// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

HalfVariants<double> half_double() { return half_variants<double, Order::kAny>(); }

}  // namespace orrery::cuda
