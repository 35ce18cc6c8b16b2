// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "core/base/vec.hpp"

namespace orrery {

inline constexpr int kColorMapSize = 256;
/// Linear RGB whose largest component is 1 (brightness comes from the light, not from the map), w = 1; entry 0 is the
/// low end of the scalar range.
using ColorTable = std::array<Vec4f, kColorMapSize>;

/// A colour at a place of a map, as sRGB in 0..1.
struct ColorStop {
    float at, red, green, blue;
};

/// A line of the colour map menu. Between stops colours run straight in OKLab, where equal steps look equal.
struct ColorMapEntry {
    std::string_view id, label, doc;
    std::span<const ColorStop> stops;  ///< ascending, first at 0, last at 1
};

std::span<const ColorMapEntry> color_maps();
/// Throws Error{kUsage} that names the id and lists the menu.
const ColorMapEntry& color_map(std::string_view id);
ColorTable color_table(const ColorMapEntry& map);

}  // namespace orrery
