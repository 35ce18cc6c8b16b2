// SPDX-License-Identifier: MIT
#include "app/render/color_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/menu.hpp"
#include "core/physics/units.hpp"

namespace orrery {

std::span<const ColorModeEntry> color_modes() {
    using enum ColorBy;
    using enum ColorScale;
    static constexpr auto menu = std::to_array<ColorModeEntry>({
        {"speed",
         "Speed",
         "slow bodies at the low end of the colour map, fast ones at the high end",
         "|v| in the scene's frame",
         kSpeed,
         kLinear,
         {1, -1, 0},
         "ember"},
        {"acceleration",
         "Acceleration",
         "magnitude of the acceleration, logarithmic",
         "|a| of the engine's last evaluation",
         kAcceleration,
         kLogarithmic,
         {1, -2, 0},
         "inferno"},
        {"mass",
         "Mass",
         "light bodies at the low end, heavy ones at the high end; logarithmic",
         "the scene's masses",
         kMass,
         kLogarithmic,
         {0, 0, 1},
         "starlight"},
        {"potential",
         "Potential",
         "the most deeply bound bodies at the low end",
         "φ of the engine's last evaluation, computed with the forces while it is shown",
         kPotential,
         kLinear,
         {2, -2, 0},
         "plasma"},
        {"density",
         "Density",
         "local mass density around a body, logarithmic",
         "mass within the distance of the 16th neighbour (Casertano & Hut 1985), searched along a Hilbert curve",
         kDensity,
         kLogarithmic,
         {-3, 0, 1},
         "magma"},
        {"leaf",
         "Tree leaf",
         "one colour for each leaf of the engine's tree, different for adjacent leaves",
         "the tree of the engine's last evaluation",
         kLeaf,
         kCategories,
         {0, 0, 0},
         "distinct"},
        {"level",
         "Tree level",
         "depth of a body's leaf in the engine's tree; 0 is the root",
         "the tree of the engine's last evaluation",
         kLevel,
         kLinear,
         {0, 0, 0},
         "viridis"},
        {"tile",
         "Tile",
         "one colour for each tile of the engine's thread map",
         "body / ρ of the engine's thread map",
         kTile,
         kCategories,
         {0, 0, 0},
         "distinct"},
        {"species",
         "Species",
         "one colour each for gas, halo, disk, bulge, stars and boundary, if the snapshot states the species",
         "the snapshot: Gadget particle types, TIPSY kinds, or a CSV column",
         kSpecies,
         kNamed,
         {0, 0, 0},
         "distinct"},
        {"sight-line",
         "Along the line of sight",
         "velocity away from the eye: approaching bodies at the low end, receding ones at the high end",
         "v · n, n the direction of view in the middle of the picture",
         kSightLine,
         kLinear,
         {1, -1, 0},
         "turbo"},
        {"age",
         "Age by id",
         "bodies in the order of their ids, which many programs give in the order in which bodies form; the first at "
         "the low end",
         "rank of the snapshot's ids",
         kAge,
         kLinear,
         {0, 0, 0},
         "plasma"},
        {"charge",
         "Charge",
         "negative charges at the low end, positive ones at the high end, if the bodies have charges",
         "the preset, or a CSV column",
         kCharge,
         kLinear,
         {0, 0, 0},
         "ember"},
        {"error",
         "Force error",
         "relative error of the force on each body, logarithmic",
         "|a − r| / |r|, where r is the sum in double; with many bodies it is measured for a sample",
         kError,
         kLogarithmic,
         {0, 0, 0},
         "viridis"},
        {"field",
         "Field",
         "a field of the file, such as temperature, density or metallicity; bodies without a value are grey",
         "the snapshot: its blocks beyond masses, positions and velocities",
         kField,
         kLinear,
         {0, 0, 0},
         "inferno"},
        {"starlight",
         "Light of stars",
         "the light of stars in three bands, i, r and g, drawn as red, green and blue; white is the colour of the Sun",
         "simple stellar populations by age, metallicity and mass formed, from the fields of the snapshot",
         kStarlight,
         kNamed,
         {0, 0, 0},
         "distinct"},
    });
    return menu;
}

std::span<const ScaleChoiceEntry> scale_choices() {
    static constexpr auto menu = std::to_array<ScaleChoiceEntry>({
        {"auto", "Automatic", "as suits the quantity; for a field, by its range", ScaleChoice::kAuto},
        {"linear", "Linear", "equal differences are equally far apart", ScaleChoice::kLinear},
        {"log", "Logarithmic", "equal ratios are equally far apart; for positive values", ScaleChoice::kLogarithmic},
        {"symmetric", "Symmetric", "logarithmic on both sides of 0, and linear within a thousandth of the range",
         ScaleChoice::kSymmetric},
    });
    return menu;
}

const ColorModeEntry& color_mode(std::string_view id) { return find_in_menu(color_modes(), "colour mode", id); }

const ColorModeEntry& color_mode(ColorBy by) { return *std::ranges::find(color_modes(), by, &ColorModeEntry::by); }

namespace {

/// "AU²"; "" for the power 0.
std::string powered(std::string_view name, int power) {
    constexpr std::array<std::string_view, 4> kSuffix{"", "", "²", "³"};
    return power == 0 ? std::string{} : fmt::format("{}{}", name, kSuffix[static_cast<std::size_t>(power)]);
}

/// Speeds in km/s, their powers, products of these with masses and lengths, and accelerations in km/s per suitable unit
/// of time.
std::optional<ShownUnit> in_kilometres(const ColorUnit& unit, const SceneUnits& scene) {
    const double speed = kilometres_per_second(scene.length, scene.days_per_time);
    if (speed == 0 || unit.time >= 0 || unit.mass < 0 || unit.length < 1) return std::nullopt;
    const bool acceleration = unit.length == 1 && unit.time == -2;
    const int power = acceleration ? 1 : -unit.time, lengths = unit.length - power;
    if (lengths < 0) return std::nullopt;
    ShownUnit shown{std::pow(speed, power), {}};
    for (const std::string& factor : {powered(scene.mass, unit.mass), powered(scene.length, lengths)})
        if (!factor.empty()) shown.text += factor + " ";
    shown.text += powered("km", power) + "/" + powered("s", power);
    if (!acceleration) return shown;
    const TimeUnit& time = time_unit_of(scene.days_per_time);
    return ShownUnit{shown.factor * time.days / scene.days_per_time, fmt::format("{}/{}", shown.text, time.name)};
}

}  // namespace

std::string with_unit(double value, const ColorUnit& unit, const SceneUnits& scene, int digits) {
    const ShownUnit shown = shown_unit(unit, scene);
    return fmt::format("{:.{}g}{}{}", value * shown.factor, digits, shown.text.empty() ? "" : " ", shown.text);
}

ShownUnit shown_unit(const ColorUnit& unit, const SceneUnits& scene) {
    const bool named = (unit.length == 0 || !scene.length.empty()) && (unit.mass == 0 || !scene.mass.empty()) &&
                       (unit.time == 0 || scene.days_per_time > 0);
    if (!named) return {};
    if (auto shown = in_kilometres(unit, scene)) {
        const bool speed = unit.length == 1 && unit.time == -1 && unit.mass == 0;
        if (speed && scene.peculiar > 0) shown->factor *= scene.peculiar, shown->text += " peculiar";
        return *std::move(shown);
    }
    const TimeUnit& time = time_unit_of(scene.days_per_time);
    ShownUnit shown{unit.time == 0 ? 1 : std::pow(scene.days_per_time / time.days, unit.time), {}};
    const std::string over = powered(scene.mass, std::max(unit.mass, 0)) +
                             powered(scene.length, std::max(unit.length, 0)) +
                             powered(time.name, std::max(unit.time, 0));
    const std::string under = powered(scene.mass, std::max(-unit.mass, 0)) +
                              powered(scene.length, std::max(-unit.length, 0)) +
                              powered(time.name, std::max(-unit.time, 0));
    shown.text = under.empty() ? over : (over.empty() ? "1" : over) + "/" + under;
    return shown;
}

}  // namespace orrery
