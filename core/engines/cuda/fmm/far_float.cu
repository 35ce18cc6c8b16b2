// SPDX-License-Identifier: MIT
#include "core/engines/cuda/fmm/far_variants.cuh"

namespace orrery::cuda {

std::span<const FarVariant<float>> far_float() {
    static constexpr auto menu = far_variants<float>();
    return menu;
}

}  // namespace orrery::cuda
