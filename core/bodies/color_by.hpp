// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace orrery {

/// The colour quantity of a frame, one float per body, in the scene's units. Menu: app/render/color_modes.hpp.
enum class ColorBy : std::uint8_t {
    kSpeed,         ///< |v|
    kAcceleration,  ///< |a| of the last evaluation
    kMass,
    kPotential,  ///< φ of the last evaluation: with gravity -G Σ m/√(r² + ε²)
    kDensity,    ///< mass density from nearest neighbours: core/spatial/density.hpp
    kLeaf,       ///< number of the leaf of the engine's tree; see TreeLabel
    kLevel,      ///< level of that leaf
    kTile,       ///< index of the body's tile, for engines with a thread map: body / ρ
    kSpecies,    ///< number of the Species
    kCharge,
    kSightLine,  ///< velocity along Coloring::along
    kAge,        ///< rank of the body's id among all ids: see ranks_by_id()
};

/// True for quantities obtained from a force evaluation.
constexpr bool needs_forces(ColorBy by) {
    return by != ColorBy::kSpeed && by != ColorBy::kMass && by != ColorBy::kDensity && by != ColorBy::kSpecies &&
           by != ColorBy::kCharge && by != ColorBy::kSightLine && by != ColorBy::kAge;
}

}  // namespace orrery
