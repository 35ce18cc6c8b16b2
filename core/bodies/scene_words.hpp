// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bitset>
#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Names and units of a scene, for drawing its frames: unchanged as long as the scene is.
struct SceneWords {
    std::string length_unit{}, mass_unit{};  ///< as Scene has them
    double days_per_time = 0;
    double mean_mass = 0;                  ///< of a body
    std::vector<std::string> names{};      ///< of bodies; empty, or one per body
    std::bitset<kSpeciesCount> species{};  ///< species that occur; empty: unknown
};

inline SceneWords words_of(const Scene& scene) {
    SceneWords words{scene.length_unit, scene.mass_unit, scene.days_per_time, 0, scene.bodies.names, {}};
    for (const Vec4d& body : scene.bodies.position_mass) words.mean_mass += body.w;
    words.mean_mass /= static_cast<double>(std::max<std::size_t>(1, scene.bodies.size()));
    for (const Species species : scene.bodies.species) words.species.set(static_cast<std::size_t>(species));
    return words;
}

}  // namespace orrery
