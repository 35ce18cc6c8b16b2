// SPDX-License-Identifier: MIT
#include "core/engines/cuda/direct/tiled.cuh"

namespace orrery::cuda {

std::span<const TiledVariant<float>> tiled_float_bare() { return tiled_family<float, Softened::kNo>(); }

}  // namespace orrery::cuda
