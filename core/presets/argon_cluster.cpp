// SPDX-License-Identifier: MIT
#include <cmath>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/crystal.hpp"

namespace orrery {

/// Atoms of total mass 1 in homologous collapse, without heat. The triple-dipole force scales with m² and d^(-10), so
/// that with neighbours N^(-1/5) apart accelerations do not depend on N. Most triangles of a crystal are acute and
/// repel: this stops the collapse when neighbours are about that far apart, and the atoms rebound, facets first. (No
/// pair force holds them together.)
Scene argon_cluster(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    const double turn = std::pow(count, -0.2), apart = 1.5 * turn;
    // The energy of the crystal, 12 N^(-1/5) (turn / apart)⁹, equals the kinetic energy ½ v² = 0.3 (rate · radius)².
    const double rate = 5 * std::pow(count, -7.0 / 30);
    for (const Vec3d site : face_centred_crystal(config.bodies)) {
        const Vec3d off{random.normal(), random.normal(), random.normal()};
        const Vec3d at = apart * (site + 0.02 * off);
        scene.bodies.add(at, -rate * at, 1 / count);
    }
    centre(scene.bodies);
    scene.gravity.softening = 0.2 * turn;  // keeps two atoms that attract along a line from falling into each other
    scene.dt = 0.004;
    scene.steps_per_frame = 1;
    return scene;
}

}  // namespace orrery
