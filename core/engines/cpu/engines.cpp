// SPDX-License-Identifier: MIT
#include <array>

#include "core/engines/auto_plan.hpp"
#include "core/engines/entries.hpp"

namespace orrery {

std::span<const EngineEntry> cpu_engines() {
    static const std::array menu{reference_engine(),  direct_engine(),  half_engine(), tree_engine(),
                                 fmm_engine(),        triplet_engine(), auto_engine(), naive_engine(),
                                 tree_locks_engine(), kernel_engine()};
    return menu;
}

}  // namespace orrery
