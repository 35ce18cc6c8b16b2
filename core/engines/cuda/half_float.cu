// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half_matrix.cuh"

namespace orrery::cuda {

std::span<const HalfVariant<float>> half_float() {
    static constexpr auto soft = half_variants<float, Softened::kYes>(), bare = half_variants<float, Softened::kNo>();
    static const auto menu = [] {
        std::array<HalfVariant<float>, soft.size() + bare.size()> all{};
        for (std::size_t i = 0; i < soft.size(); ++i) all[i] = soft[i], all[soft.size() + i] = bare[i];
        return all;
    }();
    return menu;
}

}  // namespace orrery::cuda
