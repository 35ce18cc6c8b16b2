// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"

namespace orrery {
namespace {

constexpr double kHoleMass = 0.03, kHolePlace = 0.6;  // mass of each, relative to the cluster; distance from the centre
constexpr double kHoleReach = 4e-3;                   // distance within which a star is swallowed

}  // namespace

/// A Plummer sphere in N-body units and two black holes opposite each other, on circular orbits in it. Dynamical
/// friction makes them sink in some ten units of time; they become a binary and eject stars (Milosavljević & Merritt
/// 2001, ApJ 563, 34).
Scene black_holes(const PresetConfig& config) {
    const std::size_t holes = config.bodies == 1 ? 1 : 2, stars = config.bodies - holes;
    const double hole = stars > 0 ? kHoleMass : 1.0 / static_cast<double>(holes);
    Scene scene;
    if (stars > 0) scene = plummer({.bodies = stars, .seed = config.seed});
    const double left = 1 - static_cast<double>(holes) * hole;
    for (Vec4d& star : scene.bodies.position_mass) star.w *= left;
    scene.bodies.species.assign(stars, Species::kStars);
    // Circular speed from the sphere's mass within r (scale 3π/16) and the attraction of the other hole.
    constexpr double kScale = 0.589048622548086;
    const double r = kHolePlace, inside = stars > 0 ? left * std::pow(1 + kScale * kScale / (r * r), -1.5) : 0;
    const double speed = holes == 2 ? std::sqrt((inside + hole / 4) / r) : 0;
    for (std::size_t i = 0; i < holes; ++i) {
        const double side = holes == 1 ? 0 : i == 0 ? 1 : -1;
        scene.bodies.add({side * r, 0, 0}, {0, side * speed, 0}, hole);
        scene.bodies.species.push_back(Species::kBoundary);
    }
    centre(scene.bodies);
    scene.gravity.softening = 2e-3;
    scene.encounters = {.kind = EncounterKind::kAccrete, .radius = kHoleReach};
    scene.dt = 1.0 / 512;
    scene.steps_per_frame = 4;
    return scene;
}

}  // namespace orrery
