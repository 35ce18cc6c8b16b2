// SPDX-License-Identifier: MIT
#include "core/presets/all.hpp"

namespace orrery {

/// Three unit masses follow each other along one figure eight, period 6.325913982926212: Moore 1993, PRL 70, 3675;
/// Chenciner & Montgomery 2000, Ann. Math. 152, 881, who print 8 digits. Refined here to 16 digits by solving for the
/// isosceles configuration after a twelfth of the period, with their normalisation (moment of inertia 2).
Scene figure_eight(const PresetConfig&) {
    constexpr Vec3d place{0.9700043566973334, -0.2430875315358489, 0};
    constexpr Vec3d v{-0.9324073714410523, -0.8647314609210060, 0};
    Scene scene;
    scene.bodies.add(place, -0.5 * v, 1);
    scene.bodies.add(-1.0 * place, -0.5 * v, 1);
    scene.bodies.add({}, v, 1);
    scene.integrator = "yoshida6";
    scene.dt = 0.005;
    scene.steps_per_frame = 8;  // a period in 158 frames
    return scene;
}

}  // namespace orrery
