// SPDX-License-Identifier: MIT
#include "core/engines/cuda/direct/tiled.cuh"

namespace orrery::cuda {

std::span<const TiledVariant<double>> tiled_double_bare() { return tiled_family<double, Softened::kNo>(); }

}  // namespace orrery::cuda
