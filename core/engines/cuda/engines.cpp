// SPDX-License-Identifier: MIT
#include <array>

#include "core/engines/auto_plan.hpp"
#include "core/engines/cuda/direct.hpp"
#include "core/engines/cuda/half.hpp"
#include "core/engines/cuda/locks.hpp"
#include "core/engines/cuda/tree.hpp"
#include "core/engines/cuda/triplet.hpp"
#include "core/engines/menus.hpp"

namespace orrery {

std::span<const EngineEntry> cuda_engines() {
    static const std::array menu{cuda_direct_engine(), cuda_half_engine(),       cuda_tree_engine(),
                                 cuda_naive_engine(),  cuda_tree_locks_engine(), cuda_triplet_engine(),
                                 cuda_auto_engine()};
    return menu;
}

}  // namespace orrery
