// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

HalfVariants<double> half_double_fixed() { return half_variants<double, Order::kFixed>(); }

}  // namespace orrery::cuda
