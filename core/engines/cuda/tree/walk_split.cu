// SPDX-License-Identifier: MIT
#include "core/engines/cuda/tree/walks.cuh"

namespace orrery::cuda {

std::span<const WalkVariant<float>> walks_split() {
    static constexpr auto menu = walks_of<float, Softened::kNo, Split::kYes>();
    return menu;
}

}  // namespace orrery::cuda
