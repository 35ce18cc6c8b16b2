// SPDX-License-Identifier: MIT
#include "core/presets/periodic.hpp"

#include <cmath>
#include <numbers>

namespace orrery {
namespace {

/// Bodies approach each other to 0.01, so steps follow the closest pair.
void set_steps(Scene& scene) {
    scene.integrator = "yoshida6";
    scene.adaptive = 0.03;
    scene.dt = 0.01;
    scene.steps_per_frame = 4;
}

}  // namespace

Scene periodic_scene(const PeriodicOrbit& orbit) {
    const Vec3d v{orbit.vx, orbit.vy, 0};
    Scene scene;
    scene.bodies.add({-1, 0, 0}, v, 1);
    scene.bodies.add({1, 0, 0}, v, 1);
    scene.bodies.add({}, -2.0 * v, 1);
    set_steps(scene);
    return scene;
}

Scene lagrange(const PresetConfig&) {
    Scene scene;
    const double radius = 1 / std::numbers::sqrt3, speed = 1;  // ω² = 3, ω · radius = 1
    for (int i = 0; i < 3; ++i) {
        const double angle = 2 * std::numbers::pi * i / 3, c = std::cos(angle), s = std::sin(angle);
        scene.bodies.add({radius * c, radius * s, 0}, {-speed * s, speed * c, 0}, 1);
    }
    set_steps(scene);
    return scene;
}

}  // namespace orrery
