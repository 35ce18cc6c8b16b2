// SPDX-License-Identifier: MIT
#include "core/engines/cuda/tree/walks.cuh"

namespace orrery::cuda {

std::span<const WalkVariant<double>> walks_double() {
    static constexpr auto menu = walk_variants<double>();
    return menu;
}

}  // namespace orrery::cuda
