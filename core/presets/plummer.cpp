// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/analytic.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/in_blocks.hpp"

namespace orrery {
namespace {

/// Speed in units of the escape speed, density q²(1-q²)^(7/2), by rejection; 0.1 bounds its maximum of 0.0922.
double speed_fraction(Random& random) {
    for (;;) {
        const double q = random.uniform(), bound = random.uniform(0, 0.1);
        if (bound < q * q * std::pow(1 - q * q, 3.5)) return q;
    }
}

}  // namespace

/// Aarseth, Hénon & Wielen 1974, A&A 37, 183, appendix.
Scene plummer(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    add_in_blocks(scene.bodies, config.bodies, random, [&](std::size_t, Random& own) {
        const double mass_inside = kPlummerKept * own.uniform();
        const double r = 1 / std::sqrt(std::pow(mass_inside, -2.0 / 3) - 1);  // in scale lengths
        const double speed = speed_fraction(own) * std::sqrt(2 / kPlummerScale) * std::pow(1 + r * r, -0.25);
        const Vec3d place = kPlummerScale * r * own.direction();
        return NewBody{place, speed * own.direction(), 1 / count};
    });
    centre(scene.bodies);
    // Minimum force error for a Plummer sphere in these units: Athanassoula et al. 2000, MNRAS 314, 475
    scene.gravity.softening = std::min(0.98 * std::pow(count, -0.26), 0.2);
    scene.dt = 0.1 * scene.gravity.softening;  // speeds in the core are about 1
    scene.steps_per_frame = 2;
    return scene;
}

}  // namespace orrery
