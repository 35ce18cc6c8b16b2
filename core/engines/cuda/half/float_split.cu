// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

HalfVariants<float> half_float_split() { return half_split_variants<Order::kAny>(); }

}  // namespace orrery::cuda
