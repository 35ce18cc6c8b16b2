// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/in_blocks.hpp"
#include "core/presets/orbit_elements.hpp"

namespace orrery {
namespace {

constexpr double kDiscMass = 1e-4;                    // of the Sun's: 33 Earths
constexpr double kDiscInner = 0.5, kDiscOuter = 1.5;  // AU
constexpr double kScatter = 0.01;                     // rms eccentricity; inclinations half of it
constexpr double kReach = 2.5e-3;                     // AU, radius of one of 3000: some twenty times that of rock, so
                                                      // that centuries suffice (Kokubo & Ida 1996, Icarus 123, 180)
constexpr double kStarRadius = 0.03;                  // AU; bodies within it are lost

}  // namespace

/// A star and planetesimals on nearly circular orbits about it, with a surface density ∝ 1/r; eccentricities and
/// inclinations follow a Rayleigh distribution.
Scene planetesimals(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const std::size_t small = config.bodies - 1;
    const double star = small > 0 ? 1 - kDiscMass : 1,
                 each = kDiscMass / static_cast<double>(std::max<std::size_t>(1, small));
    scene.bodies.add({}, {}, star);
    add_in_blocks(scene.bodies, small, random, [&](std::size_t i, Random& own) {
        const double axis = std::lerp(kDiscInner, kDiscOuter, stratified(i, small, own));
        const auto rayleigh = [&](double rms) { return rms * std::sqrt(-std::log(own.uniform())); };
        const auto angle = [&] { return own.uniform(0, 2 * std::numbers::pi); };
        const double e = std::min(rayleigh(kScatter), 0.5), inclination = rayleigh(kScatter / 2);
        const double node = angle(), perihelion = angle(), anomaly = angle();
        const auto [place, velocity] = on_orbit({axis, e, inclination, node, perihelion, anomaly}, star + each);
        return NewBody{place, velocity, each};
    });
    scene.bodies.species.assign(config.bodies, Species::kDisk);
    scene.bodies.species[0] = Species::kBoundary;
    centre(scene.bodies);
    scene.gravity.softening = 2e-4;
    scene.encounters = {.kind = EncounterKind::kMerge,
                        .density = kDiscMass / 3000 / (4.0 / 3 * std::numbers::pi * kReach * kReach * kReach),
                        .radius = kStarRadius};
    scene.dt = 0.03;  // 74 steps per period at the inner edge
    scene.days_per_time = 58.132440867049;
    scene.length_unit = "AU", scene.mass_unit = "M☉";
    scene.steps_per_frame = 2;
    return scene;
}

}  // namespace orrery
