// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bitset>
#include <memory>
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
    std::vector<Species> species_of{};     ///< empty, or one per body
    std::vector<std::uint64_t> ids{};      ///< of bodies, ascending, where encounters may take some away; else empty
};

/// As Frame::masses has them.
inline std::shared_ptr<const std::vector<float>> relative_masses(const std::vector<Vec4d>& bodies) {
    double sum = 0;
    bool equal = true;
    for (const Vec4d& body : bodies) sum += body.w, equal = equal && body.w == bodies.front().w;
    if (equal) return nullptr;
    auto masses = std::make_shared<std::vector<float>>();
    masses->reserve(bodies.size());
    const double mean = sum / static_cast<double>(bodies.size());
    for (const Vec4d& body : bodies) masses->push_back(static_cast<float>(body.w / mean));
    return masses;
}

inline SceneWords words_of(const Scene& scene) {
    SceneWords words{
        scene.length_unit, scene.mass_unit, scene.days_per_time, 0, scene.bodies.names, {}, scene.bodies.species, {}};
    for (const Vec4d& body : scene.bodies.position_mass) words.mean_mass += body.w;
    words.mean_mass /= static_cast<double>(std::max<std::size_t>(1, scene.bodies.size()));
    if (scene.encounters.on() && std::ranges::is_sorted(scene.bodies.ids)) words.ids = scene.bodies.ids;
    for (const Species species : scene.bodies.species) words.species.set(static_cast<std::size_t>(species));
    return words;
}

}  // namespace orrery
