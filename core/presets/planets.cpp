// SPDX-License-Identifier: MIT
// Bodies that orbit a star or a planet.
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/random.hpp"
#include "core/physics/units.hpp"
#include "core/presets/all.hpp"
#include "core/presets/placement.hpp"

namespace orrery {
namespace {

struct Planet {
    const char* name;
    double mass;
    Vec3d place, velocity;
};

// On 2023-11-12, about the barycentre, in the ecliptic of J2000: from the solar system snapshot in the examples of
// REBOUND (github.com/hannorein/rebound), taken from NASA JPL Horizons. Solar masses, AU, AU per 58.13 days.
constexpr std::array kPlanets{
    Planet{"Sun",
           0.9999999999950272,
           {-0.0081976321607773982, -0.0025487773561641888, 0.00021236231922344353},
           {0.00025930898641914741, -0.00043624249622237888, -2.1435088485727783e-06}},
    Planet{"Mercury",
           1.6601208254808336e-07,
           {0.027186441670548671, -0.46078259524842807, -0.040480536045330702},
           {1.3028856177908128, 0.20943974690272371, -0.10233324656533536}},
    Planet{"Venus",
           2.4478382877847711e-06,
           {-0.21147521810819872, 0.68669868811056145, 0.021407342145578597},
           {-1.1314496284937252, -0.33960744174822349, 0.060640403130262165}},
    Planet{"Earth",
           3.0404326489511185e-06,
           {0.62910669569854716, 0.75478072570315002, 0.00016625326113225628},
           {-0.78126400606635837, 0.63976678904360496, -3.258113113782415e-05}},
    Planet{"Mars",
           3.2271560828978514e-07,
           {-0.94661530848819375, -1.2289124878541089, -0.0024701687802880876},
           {0.67686512545763133, -0.42518329429309226, -0.025500358560430529}},
    Planet{"Jupiter",
           0.00095479190993667676,
           {3.7433980892943644, 3.2651711383486064, -0.097296557705965722},
           {-0.29321363281871649, 0.3513387792537645, 0.0051025273269734404}},
    Planet{"Saturn",
           0.00028588567002317289,
           {8.895226944475219, -3.970114941073831, -0.28513116522832049},
           {0.11406462698172096, 0.29552156499791815, -0.0096800614330956689}},
    Planet{"Uranus",
           4.3662496132004061e-05,
           {12.414504589459401, 15.184898370573423, -0.10443515903856238},
           {-0.17869134156287933, 0.13406414546020792, 0.0028128433972859292}},
    Planet{"Neptune",
           5.1513837726289569e-05,
           {29.826385144920735, -1.9485224879753125, -0.64725321614269915},
           {0.010689668488252514, 0.18317965185134386, -0.0040185904385662118}},
};

/// Rings C, B and A of Saturn in units of its radius, 60 268 km, and their shares of the particles. Radii from Cuzzi et
/// al. 2010, Science 327, 1470; shares chosen so that the faint C ring is visible. Between B and A is the Cassini
/// Division.
struct Ring {
    double inner, outer, share;
};
constexpr Ring kRingsRings[]{{1.239, 1.527, 0.12}, {1.527, 1.951, 0.58}, {2.027, 2.269, 0.30}};
constexpr double kRingMass = 1e-7, kSoftening = 2e-3, kSpread = 2e-3;

constexpr double kPlanetesimals = 1e-4;               // of the Sun's: 33 Earths
constexpr double kDiscInner = 0.5, kDiscOuter = 1.5;  // AU
constexpr double kScatter = 0.01;                     // rms eccentricity; inclinations half of it
constexpr double kReach = 2.5e-3;                     // AU, radius of one of 3000: some twenty times that of rock, so
                                                      // that centuries suffice (Kokubo & Ida 1996, Icarus 123, 180)
constexpr double kStarRadius = 0.03;                  // AU; bodies within it are lost

/// A Kepler orbit; angles in radians.
struct OrbitElements {
    double axis, eccentricity, inclination, node, perihelion, mean_anomaly;
};

/// Position and velocity relative to a centre with this mass, G = 1 (Murray & Dermott 1999, §2.4 and 2.8).
std::pair<Vec3d, Vec3d> on_orbit(const OrbitElements& o, double mass) {
    double eccentric = o.mean_anomaly;
    for (int i = 0; i < 50; ++i)
        eccentric -= (eccentric - o.eccentricity * std::sin(eccentric) - o.mean_anomaly) /
                     (1 - o.eccentricity * std::cos(eccentric));
    const double c = std::cos(eccentric), s = std::sin(eccentric);
    const double minor = std::sqrt(1 - o.eccentricity * o.eccentricity);
    const double rate = std::sqrt(mass / (o.axis * o.axis * o.axis)) / (1 - o.eccentricity * c);
    const double x = o.axis * (c - o.eccentricity), y = o.axis * minor * s;
    const double vx = -o.axis * rate * s, vy = o.axis * rate * minor * c;
    const double cn = std::cos(o.node), sn = std::sin(o.node), ci = std::cos(o.inclination),
                 si = std::sin(o.inclination), cp = std::cos(o.perihelion), sp = std::sin(o.perihelion);
    const Vec3d p{cn * cp - sn * sp * ci, sn * cp + cn * sp * ci, sp * si};
    const Vec3d q{-cn * sp - sn * cp * ci, -sn * sp + cn * cp * ci, cp * si};
    return {x * p + y * q, vx * p + vy * q};
}

/// Sun and planets; the Earth's mass includes the Moon's. G = 1 fixes the unit of time, see units.hpp.
Scene solar_system(const PresetConfig&) {
    Scene scene;
    for (const Planet& planet : kPlanets) {
        scene.bodies.add(planet.place, planet.velocity, planet.mass);
        scene.bodies.names.emplace_back(planet.name);
    }
    centre(scene.bodies);
    scene.days_per_time = kGaussianDays;
    scene.length_unit = "AU", scene.mass_unit = "M☉";
    scene.dt = 0.01;  // 150 steps per orbit of Mercury
    scene.steps_per_frame = 4;
    scene.integrator = "yoshida6";
    return scene;
}

/// Saturn (mass and radius 1) as a point, and particles on nearly circular coplanar orbits; eccentricities and
/// inclinations of about 2e-3 keep the rings thin, but thick enough to be visible.
Scene rings(const PresetConfig& config, Placement& to) {
    Random random{config.seed};
    Scene scene;
    const std::size_t particles = config.bodies - 1;
    to.add({}, {}, particles > 0 ? 1 - kRingMass : 1);
    const double each = kRingMass / static_cast<double>(particles);
    to.add_in_blocks(particles, each, random, [particles](std::size_t i, Random& own) {
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
        return NewBody{place, {out * c - along * s, out * s + along * c, kSpread * speed * own.normal()}};
    });
    to.centre();
    scene.gravity.softening = kSoftening;
    scene.dt = 0.03;  // 290 steps per period at the inner edge
    scene.steps_per_frame = 2;
    return scene;
}

/// The same rings with fewer, larger particles, which lose energy when they touch, about a planet with a radius. One in
/// eighty touches another per period.
Scene colliding_rings(const PresetConfig& config, Placement& to) {
    constexpr double kParticle = 2.5e-3;  // radius of one of 8191, in units of Saturn's
    Scene scene = rings(config, to);
    to.species.assign(config.bodies, Species::kDisk);
    to.species[0] = Species::kBoundary;
    scene.gravity.softening = 1e-3;
    scene.encounters = {.kind = EncounterKind::kBounce,
                        .density = kRingMass / 8191 / (4.0 / 3 * std::numbers::pi * kParticle * kParticle * kParticle),
                        .radius = 1,
                        .restitution = 0.5};
    return scene;
}

/// A star and planetesimals on nearly circular orbits about it, with a surface density ∝ 1/r; eccentricities and
/// inclinations follow a Rayleigh distribution.
Scene planetesimals(const PresetConfig& config, Placement& to) {
    Random random{config.seed};
    Scene scene;
    const std::size_t small = config.bodies - 1;
    const double star = small > 0 ? 1 - kPlanetesimals : 1,
                 each = kPlanetesimals / static_cast<double>(std::max<std::size_t>(1, small));
    to.add({}, {}, star);
    to.add_in_blocks(small, each, random, [small, star, each](std::size_t i, Random& own) {
        const double axis = std::lerp(kDiscInner, kDiscOuter, stratified(i, small, own));
        const auto rayleigh = [&](double rms) { return rms * std::sqrt(-std::log(own.uniform())); };
        const auto angle = [&] { return own.uniform(0, 2 * std::numbers::pi); };
        const double e = std::min(rayleigh(kScatter), 0.5), inclination = rayleigh(kScatter / 2);
        const double node = angle(), perihelion = angle(), anomaly = angle();
        const auto [place, velocity] = on_orbit({axis, e, inclination, node, perihelion, anomaly}, star + each);
        return NewBody{place, velocity};
    });
    to.species.assign(config.bodies, Species::kDisk);
    to.species[0] = Species::kBoundary;
    to.centre();
    scene.gravity.softening = 2e-4;
    scene.encounters = {.kind = EncounterKind::kMerge,
                        .density = kPlanetesimals / 3000 / (4.0 / 3 * std::numbers::pi * kReach * kReach * kReach),
                        .radius = kStarRadius};
    scene.dt = 0.03;  // 74 steps per period at the inner edge
    scene.days_per_time = 58.132440867049;
    scene.length_unit = "AU", scene.mass_unit = "M☉";
    scene.steps_per_frame = 2;
    return scene;
}

}  // namespace

std::span<const PresetEntry> planets_presets() {
    static constexpr std::array all{
        PresetEntry{"solar-system", "Solar system",
                    "Sun and eight planets on 2023-11-12; units AU, solar mass, 58.13 days", kPlanetary, 9, true,
                    in_memory<solar_system>},
        PresetEntry{"saturn", "Saturn's rings", "rings C, B and A around a point mass, with the Cassini Division",
                    kPlanetary, 16384, false, rings},
        PresetEntry{"saturn-collisions", "Saturn, colliding rings",
                    "rings of particles that collide and lose energy, about a Saturn with its radius", kPlanetary, 8192,
                    false, colliding_rings},
        PresetEntry{"planetesimals", "Planets from a disc",
                    "planetesimals about a star, which merge where they touch; units AU, solar mass, 58.13 days",
                    kPlanetary, 3000, false, planetesimals},
    };
    return all;
}

}  // namespace orrery
