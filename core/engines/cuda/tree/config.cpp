// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engines/cuda/tree/build.cuh"

namespace orrery::cuda {
void require_cells(std::uint64_t cells) {
    if (cells > kMostTreeCells)
        environment_error(fmt::format("a tree of {} cells exceeds the maximum of {}; larger leaves give fewer cells",
                                      cells, kMostTreeCells));
}

}  // namespace orrery::cuda
