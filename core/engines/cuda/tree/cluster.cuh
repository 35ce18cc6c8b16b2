// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/cuda/tree/data.cuh"

namespace orrery::cuda {

/// A cluster of neighbouring bodies from which groups were cut.
struct TreeCluster {
    BodyRange bodies;
};
struct TreeGroup {
    BodyRange bodies;
    std::uint32_t cluster;
};

}  // namespace orrery::cuda
