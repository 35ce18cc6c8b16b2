// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/galaxy.hpp"

namespace orrery {
namespace {

constexpr double kFirstMass = 0.55;                          // of 1; the rest is the other galaxy
constexpr double kFirstLength = 0.12, kOtherLength = 0.105;  // disc scale lengths
constexpr double kSeparation = 1.1, kPericentre = 0.22;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// Tilts the bodies from `first` on about the x axis by `inclination`, then rotates them about z by `azimuth`.
void tilt(Bodies& bodies, std::size_t first, double inclination, double azimuth) {
    const double ci = std::cos(inclination), si = std::sin(inclination), ca = std::cos(azimuth), sa = std::sin(azimuth);
    const auto turned = [&](Vec3d a) {
        const Vec3d b{a.x, ci * a.y - si * a.z, si * a.y + ci * a.z};
        return Vec3d{ca * b.x - sa * b.y, sa * b.x + ca * b.y, b.z};
    };
    for (std::size_t i = first; i < bodies.size(); ++i) {
        Vec4d& p = bodies.position_mass[i];
        const Vec3d place = turned(xyz(p));
        p = {place.x, place.y, place.z, p.w};
        bodies.velocity[i] = turned(bodies.velocity[i]);
    }
}

struct Offset {
    Vec3d place, velocity;
};

/// Relative position and velocity of two points of total mass 1 before the pericentre of a parabola about z.
Offset encounter() {
    const double p = 2 * kPericentre, cosine = p / kSeparation - 1, sine = -std::sqrt(1 - cosine * cosine);
    const double speed = std::sqrt(1 / p);
    return {{kSeparation * cosine, kSeparation * sine, 0}, {-speed * sine, speed * (1 + cosine), 0}};
}

void shift(Bodies& bodies, std::size_t first, double share, const Offset& offset) {
    for (std::size_t i = first; i < bodies.size(); ++i) {
        Vec4d& p = bodies.position_mass[i];
        p = {p.x + share * offset.place.x, p.y + share * offset.place.y, p.z + share * offset.place.z, p.w};
        bodies.velocity[i] = bodies.velocity[i] + share * offset.velocity;
    }
}

}  // namespace

/// After Toomre & Toomre 1972, ApJ 178, 623: tails and bridges come from prograde passages, here with live haloes.
Scene collision(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    scene.gravity.softening = std::clamp(0.01 * std::cbrt(16384 / count), 0.006, 0.03);
    scene.dt = 0.003;  // 200 steps to the pericentre, and per rotation of the disc at one scale length
    scene.steps_per_frame = 3;
    if (config.bodies == 1) {
        scene.bodies.add({}, {}, 1);
        return scene;
    }
    const auto first = std::min(config.bodies - 1, static_cast<std::size_t>(std::lround(kFirstMass * count)));
    const Offset apart = encounter();
    const auto add = [&](double mass, double length, std::size_t bodies, double inclination, double azimuth,
                         double share) {
        const std::size_t begin = scene.bodies.size();
        Galaxy::of({mass, length, scene.gravity.softening})->add(bodies, random, scene.bodies);
        tilt(scene.bodies, begin, radians(inclination), radians(azimuth));
        shift(scene.bodies, begin, share, apart);
    };
    add(kFirstMass, kFirstLength, first, 25, 30, 1 - kFirstMass);
    add(1 - kFirstMass, kOtherLength, config.bodies - first, 50, -70, -kFirstMass);
    centre(scene.bodies);
    return scene;
}

/// A single galaxy in equilibrium, with transient spiral arms.
Scene disc_galaxy(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    scene.gravity.softening = std::clamp(0.01 * std::cbrt(16384 / count), 0.006, 0.03);
    scene.dt = 0.003;
    scene.steps_per_frame = 3;
    if (config.bodies == 1)
        scene.bodies.add({}, {}, 1);
    else
        Galaxy::of({1, kFirstLength, scene.gravity.softening})->add(config.bodies, random, scene.bodies);
    centre(scene.bodies);
    return scene;
}

/// Lengths in kpc, total mass 1 = 2.5e12 solar masses, G = 1: the unit of speed is 3279 km/s and that of time 0.298
/// Myr. Masses, present distance and velocity after van der Marel et al. 2012, ApJ 753, 8: 1 and 1.5e12 solar masses,
/// 770 kpc, 109.3 km/s radial (approaching) and 17 tangential. They move as point masses down to kStart, where the
/// scene begins. Scale lengths of the discs: 3 and 5 kpc. The inclinations of the discs are arbitrary.
Scene milky_way_andromeda(const PresetConfig& config) {
    constexpr double kSpeed = 3279.1, kDays = 108'920'000, kStart = 150, kMilkyWay = 0.4;
    constexpr double kToday = 770, kTowards = 109.3 / kSpeed, kAcross = 17 / kSpeed;
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    scene.gravity.softening = std::clamp(0.3 * std::cbrt(16384 / count), 0.15, 0.45);
    scene.days_per_time = kDays;
    scene.length_unit = "kpc";
    scene.dt = 3;
    scene.steps_per_frame = 3;
    if (config.bodies == 1) {
        scene.bodies.add({}, {}, 1);
        return scene;
    }
    const double energy = (kTowards * kTowards + kAcross * kAcross) / 2 - 1 / kToday;
    const double across = kAcross * kToday / kStart;
    const double towards = std::sqrt(2 * (energy + 1 / kStart) - across * across);
    const Offset apart{{kStart, 0, 0}, {-towards, across, 0}};
    const auto first =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(kMilkyWay * count)), 1, config.bodies - 1);
    const auto add = [&](double mass, double length, std::size_t bodies, double inclination, double azimuth,
                         double share) {
        const std::size_t begin = scene.bodies.size();
        Galaxy::of({mass, length, scene.gravity.softening})->add(bodies, random, scene.bodies);
        tilt(scene.bodies, begin, radians(inclination), radians(azimuth));
        shift(scene.bodies, begin, share, apart);
    };
    add(kMilkyWay, 3, first, 35, 60, 1 - kMilkyWay);
    add(1 - kMilkyWay, 5, config.bodies - first, 60, -30, -kMilkyWay);
    centre(scene.bodies);
    return scene;
}

}  // namespace orrery
