// SPDX-License-Identifier: MIT
#include <cmath>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/crystal.hpp"

namespace orrery {

/// Atoms of total mass 1 that fall together evenly, without heat. The triple-dipole force goes with m² and d^(-10), so
/// that neighbours N^(-1/5) apart accelerate alike whatever N. Most triangles of a crystal are acute and repel: it
/// stops the fall when neighbours are about that far apart, and sends the atoms back, facets first. (There is no pair
/// force that would hold them.)
Scene argon_cluster(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    const double turn = std::pow(count, -0.2), apart = 1.5 * turn;
    // The energy of the crystal, 12 N^(-1/5) (turn / apart)⁹, against that of the fall, ½ v² = 0.3 (rate · radius)².
    const double rate = 5 * std::pow(count, -7.0 / 30);
    for (const Vec3d site : face_centred_crystal(config.bodies)) {
        const Vec3d off{random.normal(), random.normal(), random.normal()};
        const Vec3d at = apart * (site + 0.02 * off);
        scene.bodies.add(at, -rate * at, 1 / count);
    }
    centre(scene.bodies);
    scene.gravity.softening = 0.2 * turn;  // two atoms that attract along a line cannot fall into each other
    scene.dt = 0.004;
    scene.steps_per_frame = 1;
    return scene;
}

}  // namespace orrery
