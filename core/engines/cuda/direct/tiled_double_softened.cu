// SPDX-License-Identifier: MIT
#include "core/engines/cuda/direct/tiled.cuh"

namespace orrery::cuda {

std::span<const TiledVariant<double>> tiled_double_softened() { return tiled_family<double, Softened::kYes>(); }

}  // namespace orrery::cuda
