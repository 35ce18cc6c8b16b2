// SPDX-License-Identifier: MIT
#include "core/lab/experiments.hpp"

#include <array>

namespace orrery {

std::span<const LabEntry> experiments() {
    static const std::array menu{exactness_experiment()};
    return menu;
}

}  // namespace orrery
