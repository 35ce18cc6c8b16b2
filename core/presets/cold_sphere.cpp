// SPDX-License-Identifier: MIT
#include <cmath>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/in_blocks.hpp"

namespace orrery {

/// A uniform sphere of radius 1 and mass 1 at rest. It collapses after π/√8 = 1.11 units of time and rebounds.
Scene cold_sphere(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    add_in_blocks(scene.bodies, config.bodies, random, [&](std::size_t, Random& own) {
        const double r = std::cbrt(own.uniform());
        return NewBody{r * own.direction(), {}, 1 / count};
    });
    centre(scene.bodies);
    // Noise stops the collapse at a radius of about N^(-1/3) (Aarseth, Lin & Papaloizou 1988, ApJ 324, 288). Speeds
    // there are about √(2/N^(-1/3)), and the step resolves the passage.
    scene.gravity.softening = std::min(1 / std::cbrt(count), 0.1);
    scene.dt = 0.05 * scene.gravity.softening;
    scene.steps_per_frame = 4;
    return scene;
}

}  // namespace orrery
