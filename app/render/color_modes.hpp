// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/bodies/color_by.hpp"

namespace orrery {

/// How a quantity becomes a place in the colour map. Its range is that of FrameExtent, or what a person set.
enum class ColorScale {
    kLinear,
    kLogarithmic,  ///< it spans decades
    kCategories,   ///< whole numbers without an order: a place from a hash, so that neighbours differ
    kNamed,        ///< a few whole numbers with names, each a colour of the eight that the map is divided into
};

/// The unit of a quantity, as powers of the scene's units.
struct ColorUnit {
    int length, time, mass;
};

/// A line of the menu of what a colour can stand for. The simulation puts the quantity into `Frame`'s w.
struct ColorModeEntry {
    std::string_view id, label, doc;
    std::string_view source;  ///< where the number comes from, for people
    ColorBy by;
    ColorScale scale;
    ColorUnit unit;
    std::string_view map;  ///< id of the colour map that suits it
};

std::span<const ColorModeEntry> color_modes();
/// Throws Error{kUsage} that names the id and lists the menu.
const ColorModeEntry& color_mode(std::string_view id);
const ColorModeEntry& color_mode(ColorBy by);

/// They have no order: colours are added, not their places.
constexpr bool without_order(ColorScale scale) {
    return scale == ColorScale::kCategories || scale == ColorScale::kNamed;
}
inline constexpr int kNamedColors = 8;

/// The scene's units by name; empty and 0 where it has none.
struct SceneUnits {
    std::string length, mass;
    double days_per_time = 0;
};
/// A quantity for people is `factor` times the scene's number, in `text`: "AU/d"; empty for numbers, and for scenes
/// without units.
struct ShownUnit {
    double factor = 1;
    std::string text;
};
ShownUnit shown_unit(const ColorUnit& unit, const SceneUnits& scene);

}  // namespace orrery
