// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/engines/cuda/tree_build.cuh"

namespace orrery::cuda {

void require_cells(std::uint64_t cells) {
    if (cells > kMostTreeCells)
        environment_error(fmt::format("a tree of {} cells: there are indices for {}; larger leaves make fewer cells",
                                      cells, kMostTreeCells));
}

}  // namespace orrery::cuda
