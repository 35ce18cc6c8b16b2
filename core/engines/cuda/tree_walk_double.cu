// SPDX-License-Identifier: MIT
#include <array>

#include "core/engines/cuda/tree_walk.cuh"

namespace orrery::cuda {

std::span<const WalkVariant<double>> walks_double() {
    static constexpr auto menu = walk_variants<double>();
    return menu;
}

}  // namespace orrery::cuda
