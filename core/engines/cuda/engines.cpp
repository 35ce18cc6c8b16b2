// SPDX-License-Identifier: MIT
#include <array>

#include "core/engines/auto_plan.hpp"
#include "core/engines/cuda/tree_locks/tree_locks.hpp"
#include "core/engines/entries.hpp"

namespace orrery {

std::span<const EngineEntry> cuda_engines() {
    static const std::array menu{cuda_direct_engine(),  cuda_half_engine(),  cuda_tree_engine(),
                                 cuda_fmm_engine(),     cuda_naive_engine(), cuda_tree_locks_engine(),
                                 cuda_triplet_engine(), cuda_auto_engine(),  cuda_kernel_engine()};
    return menu;
}

}  // namespace orrery
