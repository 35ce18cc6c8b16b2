// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

HalfVariants<float> half_float_law(PairLaw law) {
    return with_law(law, [&]<PairLaw kLaw>() { return half_of_law<float, kLaw>(); });
}

}  // namespace orrery::cuda
