// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/in_blocks.hpp"

namespace orrery {
namespace {

/// Rings C, B and A of Saturn in units of its radius, 60 268 km, and their shares of the particles. Radii from Cuzzi et
/// al. 2010, Science 327, 1470; shares chosen so that the faint C ring is visible. Between B and A is the Cassini
/// Division.
struct Ring {
    double inner, outer, share;
};
constexpr Ring kRingsRings[]{{1.239, 1.527, 0.12}, {1.527, 1.951, 0.58}, {2.027, 2.269, 0.30}};
constexpr double kRingMass = 1e-7, kSoftening = 2e-3, kSpread = 2e-3;

}  // namespace

/// Saturn (mass and radius 1) as a point, and particles on nearly circular coplanar orbits; eccentricities and
/// inclinations of about 2e-3 keep the rings thin, but thick enough to be visible.
Scene rings(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const std::size_t particles = config.bodies - 1;
    scene.bodies.add({}, {}, particles > 0 ? 1 - kRingMass : 1);
    add_in_blocks(scene.bodies, particles, random, [&](std::size_t i, Random& own) {
        double share = stratified(i, particles, own);
        const Ring* ring = kRingsRings;
        while (ring != std::end(kRingsRings) - 1 && share > ring->share) share -= (ring++)->share;
        const double part = std::min(share / ring->share, 1.0);
        // Uniform in area.
        const double r = std::sqrt(std::lerp(ring->inner * ring->inner, ring->outer * ring->outer, part));
        const double angle = own.uniform(0, 2 * std::numbers::pi), c = std::cos(angle), s = std::sin(angle);
        const double speed = r / std::pow(r * r + kSoftening * kSoftening, 0.75);
        const double out = kSpread * speed * own.normal(), along = speed * (1 + kSpread / 2 * own.normal());
        const Vec3d place{r * c, r * s, kSpread * r * own.normal()};
        return NewBody{place,
                       {out * c - along * s, out * s + along * c, kSpread * speed * own.normal()},
                       kRingMass / static_cast<double>(particles)};
    });
    centre(scene.bodies);
    scene.gravity.softening = kSoftening;
    scene.dt = 0.03;  // 290 steps per period at the inner edge
    scene.steps_per_frame = 2;
    return scene;
}

/// The same rings with fewer, larger particles, which lose energy when they touch, about a planet with a radius. One in
/// eighty touches another per period.
Scene colliding_rings(const PresetConfig& config) {
    constexpr double kParticle = 2.5e-3;  // radius of one of 8191, in units of Saturn's
    Scene scene = rings(config);
    scene.bodies.species.assign(config.bodies, Species::kDisk);
    scene.bodies.species[0] = Species::kBoundary;
    scene.gravity.softening = 1e-3;
    scene.encounters = {.kind = EncounterKind::kBounce,
                        .density = kRingMass / 8191 / (4.0 / 3 * std::numbers::pi * kParticle * kParticle * kParticle),
                        .radius = 1,
                        .restitution = 0.5};
    return scene;
}

}  // namespace orrery
