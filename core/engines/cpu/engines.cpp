// SPDX-License-Identifier: MIT
#include <array>

#include "core/engines/auto_plan.hpp"
#include "core/engines/cpu/direct/direct.hpp"
#include "core/engines/cpu/fmm/fmm.hpp"
#include "core/engines/cpu/half/half.hpp"
#include "core/engines/cpu/naive.hpp"
#include "core/engines/cpu/reference.hpp"
#include "core/engines/cpu/tree/tree.hpp"
#include "core/engines/cpu/tree_locks/tree_locks.hpp"
#include "core/engines/cpu/triplet/triplet.hpp"
#include "core/engines/joined_menus.hpp"

namespace orrery {

std::span<const EngineEntry> cpu_engines() {
    static const std::array menu{reference_engine(), direct_engine(), half_engine(),  tree_engine(),      fmm_engine(),
                                 triplet_engine(),   auto_engine(),   naive_engine(), tree_locks_engine()};
    return menu;
}

}  // namespace orrery
