// SPDX-License-Identifier: MIT
#include "app/render/color_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/menu.hpp"

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
         "how hard a body is pulled, on a logarithmic scale",
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
         "bodies that are bound deepest at the low end",
         "φ of the engine's last evaluation, computed beside the forces while it is looked at",
         kPotential,
         kLinear,
         {2, -2, 0},
         "plasma"},
        {"density",
         "Density",
         "how crowded it is where a body is, logarithmic",
         "mass within the distance of the 16th neighbour (Casertano & Hut 1985), neighbours from along a Hilbert curve",
         kDensity,
         kLogarithmic,
         {-3, 0, 1},
         "magma"},
        {"leaf",
         "Tree leaf",
         "bodies of one leaf of the engine's tree alike, leaves side by side apart",
         "the tree of the engine's last evaluation",
         kLeaf,
         kCategories,
         {0, 0, 0},
         "distinct"},
        {"level",
         "Tree level",
         "how deep in the engine's tree a body's leaf lies; 0 is the root",
         "the tree of the engine's last evaluation",
         kLevel,
         kLinear,
         {0, 0, 0},
         "viridis"},
        {"tile",
         "Tile",
         "bodies of one tile of the engine's thread map alike",
         "body / ρ of the engine's thread map",
         kTile,
         kCategories,
         {0, 0, 0},
         "distinct"},
        {"species",
         "Species",
         "gas, halo, disk, bulge, stars and boundary each in a colour, where the snapshot says which is which",
         "the snapshot: Gadget's types of particles, kinds of TIPSY, a column of CSV",
         kSpecies,
         kNamed,
         {0, 0, 0},
         "distinct"},
    });
    return menu;
}

const ColorModeEntry& color_mode(std::string_view id) { return find_in_menu(color_modes(), "colour mode", id); }

const ColorModeEntry& color_mode(ColorBy by) { return *std::ranges::find(color_modes(), by, &ColorModeEntry::by); }

namespace {

/// "AU²", "1" for the power 0.
std::string powered(std::string_view name, int power) {
    constexpr std::array<std::string_view, 4> kSuffix{"", "", "²", "³"};
    return power == 0 ? std::string{} : fmt::format("{}{}", name, kSuffix[static_cast<std::size_t>(power)]);
}

}  // namespace

ShownUnit shown_unit(const ColorUnit& unit, const SceneUnits& scene) {
    const bool named = (unit.length == 0 || !scene.length.empty()) && (unit.mass == 0 || !scene.mass.empty()) &&
                       (unit.time == 0 || scene.days_per_time > 0);
    if (!named) return {};
    ShownUnit shown{std::pow(scene.days_per_time > 0 ? scene.days_per_time : 1, unit.time), {}};
    const std::string over = powered(scene.mass, std::max(unit.mass, 0)) +
                             powered(scene.length, std::max(unit.length, 0)) + powered("d", std::max(unit.time, 0));
    const std::string under = powered(scene.mass, std::max(-unit.mass, 0)) +
                              powered(scene.length, std::max(-unit.length, 0)) + powered("d", std::max(-unit.time, 0));
    shown.text = under.empty() ? over : (over.empty() ? "1" : over) + "/" + under;
    return shown;
}

}  // namespace orrery
