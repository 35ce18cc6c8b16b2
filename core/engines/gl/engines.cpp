// SPDX-License-Identifier: MIT
#include <array>

#include "core/engines/entries.hpp"

namespace orrery {

std::span<const EngineEntry> gl_engines() {
#define ORRERY_ENTRY(name) name##_engine(),
    static const std::array menu{ORRERY_GL_ENGINES(ORRERY_ENTRY)};
    return menu;
}

}  // namespace orrery
