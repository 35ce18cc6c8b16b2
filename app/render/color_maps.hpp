// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/vec.hpp"
#include "core/bodies/frame.hpp"

namespace orrery {

inline constexpr int kColorMapSize = 256;
/// Linear RGB, w = 1; entry 0 is the low end of the scalar range. The largest component is 1, because brightness comes
/// from the light, not from the map; it is less if a map keeps some of its lightness.
using ColorTable = std::array<Vec4f, kColorMapSize>;

/// A colour at a position in a map, as sRGB from 0 to 1.
struct ColorStop {
    float at, red, green, blue;
};

enum class ColorMapKind {
    kSequential,
    kCyclic,       ///< both ends have the same colour
    kCategorical,  ///< equally wide stops without interpolation
};

/// An entry of the colour map menu. Colours between stops are interpolated linearly in OKLab, which is perceptually
/// uniform.
struct ColorMapEntry {
    std::string_view id, label, doc;
    std::string_view source;           ///< including the licence
    std::span<const ColorStop> stops;  ///< ascending, first at 0, last at 1
    ColorMapKind kind;
    float lightness;  ///< fraction of the map's own lightness that bodies keep, 0 to 1
};

/// Selects the map that suits the colour quantity.
inline constexpr std::string_view kAutoColorMap = "auto";

std::span<const ColorMapEntry> color_maps();
/// Throws Error{kUsage} with the id and the menu.
const ColorMapEntry& color_map(std::string_view id);
/// As above; also accepts kAutoColorMap.
const ColorMapEntry& color_map_for(std::string_view id, ColorBy by);
/// Linear RGB of the map as published, with its lightness. `at`: 0 to 1.
Vec3f color_at(const ColorMapEntry& map, float at);
/// Computed once per entry of the menu.
const ColorTable& color_table(const ColorMapEntry& map);
/// The map in all entries but the last, which is that of bodies without a value: grey, or dark red with the
/// grey map.
ColorTable table_with_missing(const ColorMapEntry& map);
/// A colour of the map in the format of ImGui's draw lists.
std::uint32_t color_for_screen(const ColorTable& table, float at);

/// Blue at 0 through green to yellow at 1, with perceptually equal steps in lightness; for ImGui's draw lists.
/// Lightness alone shows the order, so it is readable with colour blindness.
std::uint32_t ramp_color(float share);

}  // namespace orrery
