// SPDX-License-Identifier: MIT
#include <array>

#include "core/engines/entries.hpp"

namespace orrery {

std::span<const EngineEntry> gl_engines() {
    static const std::array menu{gl_direct_engine(), gl_half_engine(), gl_tree_engine(), gl_kernel_engine()};
    return menu;
}

}  // namespace orrery
