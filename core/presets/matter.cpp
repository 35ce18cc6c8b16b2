// SPDX-License-Identifier: MIT
// Atoms and ions in reduced units: a body's mass, σ and the depth of the well (for ions the energy of two charges σ
// apart) are 1, and so is the unit of temperature, that energy over Boltzmann's constant.
#include <cmath>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/crystal.hpp"

namespace orrery {
namespace {

/// Maxwellian velocity of a body of mass 1 at this temperature (Maxwell 1860).
Vec3d thermal(Random& random, double temperature) {
    return std::sqrt(temperature) * Vec3d{random.normal(), random.normal(), random.normal()};
}

}  // namespace

/// A ball of crystal, heated to twice its final temperature: half of the energy goes into the potential energy of the
/// vibration, and the rest is above the melting point of 0.7 (Allen & Tildesley 1987, §1.2).
Scene argon_drop(const PresetConfig& config) {
    constexpr double kApart = 1.1, kHeated = 1.9;  // equilibrium distance, including neighbours beyond the nearest
    Random random{config.seed};
    Scene scene;
    for (const Vec3d site : face_centred_crystal(config.bodies))
        scene.bodies.add(kApart * site, thermal(random, kHeated), 1);
    centre(scene.bodies);
    scene.gravity = {.constant = 1, .softening = 0, .law = PairLaw::kLennardJones, .sigma = 1, .cut_off = 2.5};
    scene.dt = 0.004;
    scene.steps_per_frame = 4;
    return scene;
}

/// A ball of rock salt, heated in the same way: sodium chloride melts at 1074 K, 0.018 of the energy of two ions at the
/// distance of neighbours.
Scene salt_melt(const PresetConfig& config) {
    constexpr double kApart = 1.18, kHeated = 0.045;  // equilibrium: 1.748 r⁸ = 6 (1 + 12/6 · 2^(-9/2))
    Random random{config.seed};
    Scene scene;
    for (const SaltSite& site : rock_salt_crystal(config.bodies)) {
        scene.bodies.add(kApart * site.at, thermal(random, kHeated), 1);
        scene.bodies.charge.push_back(site.charge);
    }
    centre(scene.bodies);
    scene.gravity = {.constant = 1, .softening = 0, .law = PairLaw::kCoulomb, .sigma = 1};
    scene.dt = 0.02;
    scene.steps_per_frame = 4;
    return scene;
}

}  // namespace orrery
