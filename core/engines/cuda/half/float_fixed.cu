// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

HalfVariants<float> half_float_fixed() { return half_variants<float, Order::kFixed>(); }

}  // namespace orrery::cuda
