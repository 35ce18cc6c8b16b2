// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half/matrix.cuh"

namespace orrery::cuda {

HalfVariants<double> half_double_law(PairLaw law) {
    return with_law(law, [&]<PairLaw kLaw>() { return half_of_law<double, kLaw>(); });
}

}  // namespace orrery::cuda
