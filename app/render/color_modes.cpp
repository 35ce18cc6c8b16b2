// SPDX-License-Identifier: MIT
#include "app/render/color_modes.hpp"

#include <array>

namespace orrery {

std::span<const ColorModeEntry> color_modes() {
    static constexpr auto menu = std::to_array<ColorModeEntry>({
        {"speed", "Speed", "slow bodies at the low end of the colour map, fast ones at the high end"},
    });
    return menu;
}

}  // namespace orrery
