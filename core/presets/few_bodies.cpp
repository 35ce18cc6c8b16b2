// SPDX-License-Identifier: MIT
// Three bodies: periodic orbits, the Pythagorean problem, and the scattering of a single body by a binary.
#include <cmath>
#include <numbers>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/placement.hpp"

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

namespace {

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

/// Three unit masses at the corners of an equilateral triangle with side 1 that rotates once in 2π/√3 (Lagrange 1772).
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

template <std::size_t I>
Scene periodic(const PresetConfig&) {
    return periodic_scene(kPeriodicOrbits[I]);
}

template <std::size_t I>
constexpr PresetEntry orbit(std::string_view id, std::string_view label, std::string_view doc) {
    return {id, label, doc, kFewBodies, 3, true, in_memory<periodic<I>>};
}

}  // namespace

std::span<const PresetEntry> few_bodies_presets() {
    static constexpr std::array all{
        PresetEntry{"figure-eight", "Figure eight", "three equal masses on one closed curve, period 6.326", kFewBodies,
                    3, true, in_memory<figure_eight>},
        PresetEntry{"pythagorean", "Pythagorean problem",
                    "masses 3, 4 and 5 fall from rest; near t = 60 the lightest is ejected", kFewBodies, 3, true,
                    in_memory<pythagorean>},
        PresetEntry{"scattering", "Binary and single", "a binary meets a third body; the seed chooses the encounter",
                    kFewBodies, 3, true, in_memory<scattering>},
        PresetEntry{"orbit-lagrange", "Orbit: Lagrange", "three equal masses on a rotating triangle, period 3.628",
                    kFewBodies, 3, true, in_memory<lagrange>},
        orbit<0>("orbit-butterfly-1", "Orbit: Butterfly I", "three equal masses, period 6.235"),
        orbit<1>("orbit-butterfly-2", "Orbit: Butterfly II", "three equal masses, period 7.004"),
        orbit<2>("orbit-bumblebee", "Orbit: Bumblebee", "three equal masses, period 63.53"),
        orbit<3>("orbit-moth-1", "Orbit: Moth I", "three equal masses, period 14.89"),
        orbit<4>("orbit-moth-2", "Orbit: Moth II", "three equal masses, period 28.67"),
        orbit<5>("orbit-butterfly-3", "Orbit: Butterfly III", "three equal masses, period 13.87"),
        orbit<6>("orbit-moth-3", "Orbit: Moth III", "three equal masses, period 25.84"),
        orbit<7>("orbit-goggles", "Orbit: Goggles", "three equal masses, period 10.46"),
        orbit<8>("orbit-dragonfly", "Orbit: Dragonfly", "three equal masses, period 21.27"),
        orbit<9>("orbit-yarn", "Orbit: Yarn", "three equal masses, period 55.5"),
        orbit<10>("orbit-yin-yang-1a", "Orbit: Yin-yang Ia", "three equal masses, period 17.33"),
        orbit<11>("orbit-yin-yang-1b", "Orbit: Yin-yang Ib", "three equal masses, period 10.96"),
        orbit<12>("orbit-yin-yang-2a", "Orbit: Yin-yang IIa", "three equal masses, period 55.79"),
        orbit<13>("orbit-yin-yang-2b", "Orbit: Yin-yang IIb", "three equal masses, period 54.21"),
    };
    return all;
}

}  // namespace orrery
