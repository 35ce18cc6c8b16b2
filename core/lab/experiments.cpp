// SPDX-License-Identifier: MIT
#include "core/lab/experiments.hpp"

#include <array>

namespace orrery {

std::span<const LabEntry> experiments() {
    static const std::array menu{roots_experiment(),     dummy_experiment(),   edm_experiment(),
                                 collision_experiment(), triplet_experiment(), exactness_experiment()};
    return menu;
}

}  // namespace orrery
