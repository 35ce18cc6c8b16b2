// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

namespace orrery {

/// A line of the menu of what a colour can stand for. The simulation puts the quantity into `Frame`'s w.
struct ColorModeEntry {
    std::string_view id, label, doc;
};

std::span<const ColorModeEntry> color_modes();

}  // namespace orrery
