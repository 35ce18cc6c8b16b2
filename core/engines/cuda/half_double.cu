// SPDX-License-Identifier: MIT
#include "core/engines/cuda/half_matrix.cuh"

namespace orrery::cuda {

std::span<const HalfVariant<double>> half_double() {
    static constexpr auto soft = half_variants<double, Softened::kYes>(), bare = half_variants<double, Softened::kNo>();
    static const auto menu = [] {
        std::array<HalfVariant<double>, soft.size() + bare.size()> all{};
        for (std::size_t i = 0; i < soft.size(); ++i) all[i] = soft[i], all[soft.size() + i] = bare[i];
        return all;
    }();
    return menu;
}

}  // namespace orrery::cuda
