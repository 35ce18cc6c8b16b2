// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

HalfVariants<float> half_float() { return half_variants<float, Order::kAny>(); }

}  // namespace orrery::cuda
