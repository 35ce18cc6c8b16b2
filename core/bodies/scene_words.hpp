// SPDX-License-Identifier: MIT
#pragma once
#include <bitset>
#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Names and units of a scene, for drawing its frames: unchanged as long as the scene is.
struct SceneWords {
    std::string length_unit{}, mass_unit{};  ///< as Scene has them
    double days_per_time = 0;
    std::vector<std::string> names{};      ///< of bodies; empty, or one per body
    std::bitset<kSpeciesCount> species{};  ///< species that occur; empty: unknown
};

inline SceneWords words_of(const Scene& scene) {
    SceneWords words{scene.length_unit, scene.mass_unit, scene.days_per_time, scene.bodies.names, {}};
    for (const Species species : scene.bodies.species) words.species.set(static_cast<std::size_t>(species));
    return words;
}

}  // namespace orrery
