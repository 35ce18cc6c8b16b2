// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/bodies/color_by.hpp"

namespace orrery {

/// How a quantity is mapped to a position in the colour map. Its range is that of FrameExtent, or set by the user.
enum class ColorScale {
    kLinear,
    kLogarithmic,  ///< it spans decades
    kCategories,   ///< integers without an order: position from a hash, so that neighbours differ
    kNamed,        ///< a few named integers, each with one of the eight colours of the map
};

/// The unit of a quantity, as powers of the scene's units.
struct ColorUnit {
    int length, time, mass;
};

/// A line of the menu of colour quantities. The simulation writes the quantity to the w component of `Frame`.
struct ColorModeEntry {
    std::string_view id, label, doc;
    std::string_view source;  ///< source of the value, for display
    ColorBy by;
    ColorScale scale;
    ColorUnit unit;
    std::string_view map;  ///< id of the colour map that suits it
};

std::span<const ColorModeEntry> color_modes();
/// Throws Error{kUsage} that names the id and lists the menu.
const ColorModeEntry& color_mode(std::string_view id);
const ColorModeEntry& color_mode(ColorBy by);

/// The values have no order: colours are averaged, not positions in the map.
constexpr bool without_order(ColorScale scale) {
    return scale == ColorScale::kCategories || scale == ColorScale::kNamed;
}
inline constexpr int kNamedColors = 8;

/// The scene's units by name; empty and 0 where it has none.
struct SceneUnits {
    std::string length, mass;
    double days_per_time = 0;
};
/// A displayed quantity is `factor` times the scene's number, in `text`: "km/s"; empty for numbers, and for scenes
/// without units.
struct ShownUnit {
    double factor = 1;
    std::string text;
};
ShownUnit shown_unit(const ColorUnit& unit, const SceneUnits& scene);
/// "29.8 km/s": the scene's number in the unit in which it is displayed.
std::string with_unit(double value, const ColorUnit& unit, const SceneUnits& scene, int digits = 6);

}  // namespace orrery
