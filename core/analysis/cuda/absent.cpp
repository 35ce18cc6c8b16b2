// SPDX-License-Identifier: MIT
// Linked in place of core/analysis/cuda in builds without CUDA.
#include "core/analysis/tuple_tiles.hpp"
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"

namespace orrery {

DeviceSums sum_tuples_on_device(std::size_t, const TiledCatalogue&, const TupleBins&, std::span<const std::uint16_t>,
                                std::size_t, const std::function<bool()>&) {
    environment_error(cuda_info().reason);
}

}  // namespace orrery
