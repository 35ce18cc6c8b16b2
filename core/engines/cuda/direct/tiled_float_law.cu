// SPDX-License-Identifier: MIT
#include "core/engines/cuda/direct/tiled.cuh"

namespace orrery::cuda {

std::span<const TiledVariant<float>> tiled_float_law(PairLaw law) {
    return with_law(law, [&]<PairLaw kLaw>() { return tiled_of_law<float, kLaw>(); });
}

}  // namespace orrery::cuda
