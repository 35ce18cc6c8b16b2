// SPDX-License-Identifier: MIT
#include "core/engines/cuda/tree/walks.cuh"

namespace orrery::cuda {

std::span<const WalkVariant<float>> walks_float() {
    static constexpr auto menu = walk_variants<float>();
    return menu;
}

}  // namespace orrery::cuda
