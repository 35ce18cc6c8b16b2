// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "core/bodies/frame.hpp"

namespace orrery {

/// How a quantity is mapped to a position in the colour map. The range comes from FrameExtent or the user.
enum class ColorScale {
    kLinear,
    kLogarithmic,  ///< for quantities that span decades
    kCategories,   ///< unordered integers: the position is a hash, so that neighbours differ
    kNamed,        ///< a few named integers, each with one of the eight colours of the map
    kDepth,        ///< for pictures of depth
    kSymmetric,    ///< logarithmic on both sides of 0, linear close to it
};

/// The scale of quantities with an order, as chosen by the user.
enum class ScaleChoice { kAuto, kLinear, kLogarithmic, kSymmetric };
struct ScaleChoiceEntry {
    std::string_view id, label, doc;
    ScaleChoice scale;
};
std::span<const ScaleChoiceEntry> scale_choices();
/// Decades on either side of 0 of a symmetric scale, above which it is logarithmic.
inline constexpr double kSymmetricDecades = 3;

/// The unit of a quantity, as powers of the scene's units.
struct ColorUnit {
    int length, time, mass;
};

/// An entry of the menu of colour quantities. The simulation writes the quantity to the w component of `Frame`.
struct ColorModeEntry {
    std::string_view id, label, doc;
    std::string_view source;  ///< origin of the value, for display
    ColorBy by;
    ColorScale scale;
    ColorUnit unit;
    std::string_view map;  ///< id of the default colour map
};

std::span<const ColorModeEntry> color_modes();
/// Throws Error{kUsage} with the id and the menu.
const ColorModeEntry& color_mode(std::string_view id);
const ColorModeEntry& color_mode(ColorBy by);

/// True if the values have no order: colours are averaged, not positions in the map.
constexpr bool without_order(ColorScale scale) {
    return scale == ColorScale::kCategories || scale == ColorScale::kNamed;
}
inline constexpr int kNamedColors = 8;

/// The names of the scene's units; empty and 0 if it has none.
struct SceneUnits {
    std::string length, mass;
    double days_per_time = 0;
    double peculiar = 0;  ///< peculiar speeds over those of a cosmological snapshot; 0: of another scene
};
/// A displayed quantity is `factor` times the scene's value, in `text`: "km/s". Empty for plain numbers and for scenes
/// without units.
struct ShownUnit {
    double factor = 1;
    std::string text;
};
ShownUnit shown_unit(const ColorUnit& unit, const SceneUnits& scene);
/// "29.8 km/s": the scene's value in the unit in which it is displayed.
std::string with_unit(double value, const ColorUnit& unit, const SceneUnits& scene, int digits = 6);

}  // namespace orrery
