// SPDX-License-Identifier: MIT
// Three bodies: the Pythagorean problem, and the scattering of a single body by a binary.
#include <cmath>
#include <numbers>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"

namespace orrery {

/// Masses 3, 4 and 5 at rest at the corners of a triangle with sides 3, 4 and 5 opposite them: Burrau 1913, Astron.
/// Nachr. 195, 113; solved by Szebehely & Peters 1967, AJ 72, 876. Near t = 60 the lightest is ejected.
Scene pythagorean(const PresetConfig&) {
    Scene scene;
    scene.bodies.add({1, 3, 0}, {}, 3);
    scene.bodies.add({-2, -1, 0}, {}, 4);
    scene.bodies.add({1, -1, 0}, {}, 5);
    scene.bodies.names = {"3", "4", "5"};
    scene.integrator = "yoshida6";
    scene.adaptive = 0.01;
    scene.dt = 0.01;
    scene.steps_per_frame = 10;
    return scene;
}

/// A circular binary of two masses ½, 1 apart (period 2π), and a third mass of ½ that approaches with 0.4 of the speed
/// at which it could ionize the binary; the seed selects impact parameter and orientation (Hut & Bahcall 1983, ApJ 268,
/// 319). They often exchange partners.
Scene scattering(const PresetConfig& config) {
    Random random{config.seed};
    constexpr double kMass = 0.5, kFar = 12;
    const double phase = random.uniform(0, 2 * std::numbers::pi), turn = random.uniform(0, 2 * std::numbers::pi);
    const double aim = 2.5 * std::sqrt(random.uniform());
    const Vec3d out{std::cos(phase) / 2, std::sin(phase) / 2, 0}, along{-std::sin(phase) / 2, std::cos(phase) / 2, 0};
    Scene scene;
    scene.bodies.add(out, along, kMass);
    scene.bodies.add(-1.0 * out, -1.0 * along, kMass);
    // Critical speed: kinetic energy at infinity equals the binding energy 1/8, v² = (1/4)/µ with µ = ½·1/1.5 =
    // 1/3.
    const double critical2 = 0.75, speed = std::sqrt(0.16 * critical2 + 2 * 1.5 / kFar);
    scene.bodies.add({-kFar, aim * std::cos(turn), aim * std::sin(turn)}, {speed, 0, 0}, kMass);
    centre(scene.bodies);
    scene.integrator = "yoshida6";
    scene.adaptive = 0.02;
    scene.dt = 0.02;
    scene.steps_per_frame = 4;
    return scene;
}

}  // namespace orrery
