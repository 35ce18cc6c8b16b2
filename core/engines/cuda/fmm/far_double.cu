// SPDX-License-Identifier: MIT
#include "core/engines/cuda/fmm/far_variants.cuh"

namespace orrery::cuda {

std::span<const FarVariant<double>> far_double() {
    static constexpr auto menu = far_variants<double>();
    return menu;
}

}  // namespace orrery::cuda
