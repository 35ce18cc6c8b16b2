// SPDX-License-Identifier: MIT
// Disc galaxies: a model in equilibrium, and scenes of one or two.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <mutex>
#include <numbers>
#include <span>
#include <vector>

#include "core/base/random.hpp"
#include "core/bodies/bodies.hpp"
#include "core/presets/all.hpp"
#include "core/presets/isotropic.hpp"
#include "core/presets/placement.hpp"

namespace orrery {
namespace {

constexpr double kDiscMass = 0.22, kBulgeMass = 0.08, kHaloMass = 0.70;  // fractions of the mass
constexpr double kBulgeBodies = 0.10, kHaloBodies = 0.16;                // fractions of the bodies; the rest: disc
constexpr double kDiscEdge = 3.5, kThickness = 0.06;                     // in R_d; scale height of the sech² profile
constexpr double kBulgeLength = 0.18, kBulgeCut = 1.5;                   // in R_d
constexpr double kHaloLength = 2.5, kHaloCut = 8;                        // in R_d
constexpr double kToomre = 1.2;                                          // Q: warm enough to be stable
constexpr double kFirstRadius = 1e-3;                                    // of tables, in R_d
constexpr std::size_t kKnown = 8;                                        // cached galaxies, 400 kB of tables each
constexpr std::size_t kCurveSteps = 128, kOrbits = 1024, kGalaxyRadii = 512, kGalaxyRings = 160, kAround = 96;

double between(const std::vector<double>& values, double place) {
    const double inside = std::clamp(place, 0.0, static_cast<double>(values.size() - 1));
    const std::size_t i = std::min(static_cast<std::size_t>(inside), values.size() - 2);
    return std::lerp(values[i], values[i + 1], inside - static_cast<double>(i));
}

/// Mass within x scale lengths of an exponential disc of total mass 1.
double exponential_mass(double x) { return 1 - (1 + x) * std::exp(-x); }

/// Returns the x that contains `mass`, by Newton's method safeguarded by bisection.
double exponential_radius(double mass) {
    double low = 0, high = kDiscEdge, x = std::min(std::sqrt(2 * mass) * (1 + mass), kDiscEdge);
    for (int i = 0; i < 60; ++i) {
        const double miss = exponential_mass(x) - mass;
        (miss < 0 ? low : high) = x;
        const double next = x - miss / (x * std::exp(-x));
        const double better = next > low && next < high ? next : (low + high) / 2;
        if (std::abs(better - x) < 1e-12) return better;
        x = better;
    }
    return x;
}

/// A disc galaxy of mass `mass`: exponential disc, and bulge and halo after Hernquist (1990, ApJ 356, 359). Lengths are
/// those of the scene, G = 1, the axis of the disc is z.
struct GalaxyShape {
    double mass;
    double disc_length;  ///< R_d: surface density falls as exp(-R/R_d); the disc ends at 3.5 R_d
    double softening;    ///< of the force that will move it; its orbits are set up for that force
    friend bool operator==(const GalaxyShape&, const GalaxyShape&) = default;
};

/// Bodies near equilibrium: circular velocities from the softened force of disc, bulge and halo; dispersions of the
/// disc from Toomre's Q and its thickness, with asymmetric drift (Hernquist 1993, ApJS 86, 389); bulge and halo from
/// their distribution functions in the total potential, with the disc averaged over spheres.
class Galaxy {
public:
    explicit Galaxy(GalaxyShape shape);
    /// Returns a cached galaxy if this shape was used recently: making the tables takes longer than a thousand bodies.
    static std::shared_ptr<const Galaxy> of(const GalaxyShape& shape);
    /// Adds `count` bodies about the origin, at rest as a whole. Most of them belong to the disc, the visible part.
    void add(std::size_t count, Random& random, Placement& to) const;

private:
    /// A Hernquist sphere, truncated by exp(-(r/cut)²).
    struct Sphere {
        double mass, length, cut;
        IsotropicSphere::Profile density() const;  ///< not normalised
        double edge() const { return 2 * cut; }
    };
    struct DiscOrbit {
        double radial_dispersion, tangential_dispersion, vertical_dispersion, mean;
    };

    double disc_mass_within(double r) const;
    struct Ring {
        double radius, mass;
    };
    std::vector<Ring> disc_rings() const;
    double disc_acceleration(double r, std::span<const Ring> rings) const;
    double sphere_acceleration(double r) const;
    double surface_density(double r) const;
    DiscOrbit disc_orbit(double r) const;
    void make_curve();
    void make_orbits();
    void add_disc(std::size_t count, double mass, Random& random, Placement& to) const;
    /// A sphere in equilibrium in the total potential, made on first use.
    struct InPotential {
        std::once_flag once;
        std::unique_ptr<const IsotropicSphere> made;
    };
    void add_sphere(const Sphere& sphere, InPotential& there, std::size_t count, double mass, Random& random,
                    Placement& to) const;

    GalaxyShape shape_;
    double disc_mass_;
    Sphere bulge_, halo_;
    std::vector<double> radius_, sphere_mass_;  ///< masses of bulge and halo within the radii; equal steps in log r
    std::vector<double> curve_;      ///< squared circular velocity at equal steps of R up to the edge of the disc
    std::vector<DiscOrbit> orbits_;  ///< at smaller steps
    mutable InPotential bulge_in_potential_, halo_in_potential_;
};

IsotropicSphere::Profile Galaxy::Sphere::density() const {
    return [*this](double r) { return std::exp(-r * r / (cut * cut)) / (r * std::pow(r + length, 3)); };
}

Galaxy::Galaxy(GalaxyShape shape)
    : shape_{shape},
      disc_mass_{kDiscMass * shape.mass},
      bulge_{kBulgeMass * shape.mass, kBulgeLength * shape.disc_length, kBulgeCut * shape.disc_length},
      halo_{kHaloMass * shape.mass, kHaloLength * shape.disc_length, kHaloCut * shape.disc_length} {
    const double first = kFirstRadius * shape.disc_length;
    const EnclosedMass bulge{bulge_.density(), first, bulge_.edge()}, halo{halo_.density(), first, halo_.edge()};
    for (std::size_t i = 0; i < kGalaxyRadii; ++i) {
        const double r = first * std::pow(halo_.edge() / first, static_cast<double>(i) / (kGalaxyRadii - 1));
        radius_.push_back(r);
        sphere_mass_.push_back(bulge_.mass * bulge.mass_within(std::min(r, bulge_.edge())) +
                               halo_.mass * halo.mass_within(r));
    }
    make_curve();
    make_orbits();
}

double Galaxy::disc_mass_within(double r) const {
    return disc_mass_ * exponential_mass(std::min(r / shape_.disc_length, kDiscEdge)) / exponential_mass(kDiscEdge);
}

double Galaxy::surface_density(double r) const {
    const double length = shape_.disc_length,
                 all = 2 * std::numbers::pi * length * length * exponential_mass(kDiscEdge);
    return disc_mass_ / all * std::exp(-r / length);
}

std::vector<Galaxy::Ring> Galaxy::disc_rings() const {
    const double edge = kDiscEdge * shape_.disc_length;
    std::vector<Ring> rings;
    for (std::size_t ring = 0; ring < kGalaxyRings; ++ring) {
        const double inner = edge * static_cast<double>(ring) / kGalaxyRings, outer = inner + edge / kGalaxyRings;
        rings.push_back({(inner + outer) / 2, disc_mass_within(outer) - disc_mass_within(inner)});
    }
    return rings;
}

/// Acceleration in the plane towards the axis, from rings of the disc; its thickness acts as additional softening.
double Galaxy::disc_acceleration(double r, std::span<const Ring> rings) const {
    static const std::vector<double> cosines = [] {
        std::vector<double> all;
        for (std::size_t k = 0; k < kAround; ++k)
            all.push_back(std::cos(std::numbers::pi * (static_cast<double>(k) + 0.5) / kAround));
        return all;
    }();
    const double height = kThickness * shape_.disc_length;
    const double softening2 = shape_.softening * shape_.softening + height * height;
    double acceleration = 0;
    for (const auto& [s, mass] : rings) {
        double sum = 0;
        for (const double c : cosines) sum += (r - s * c) / std::pow(r * r + s * s - 2 * r * s * c + softening2, 1.5);
        acceleration += mass * sum / kAround;
    }
    return acceleration;
}

double Galaxy::sphere_acceleration(double r) const {
    if (r <= 0) return 0;
    const double steps = (kGalaxyRadii - 1) / std::log(radius_.back() / radius_.front());
    const double mass = between(sphere_mass_, steps * std::log(r / radius_.front()));
    return mass * r / std::pow(r * r + shape_.softening * shape_.softening, 1.5);
}

void Galaxy::make_curve() {
    const std::vector<Ring> rings = disc_rings();
    for (std::size_t i = 0; i <= kCurveSteps; ++i) {
        const double r = kDiscEdge * shape_.disc_length * static_cast<double>(i) / kCurveSteps;
        curve_.push_back(std::max(0.0, r * (disc_acceleration(r, rings) + sphere_acceleration(r))));
    }
}

void Galaxy::make_orbits() {
    for (std::size_t i = 0; i <= kOrbits; ++i)
        orbits_.push_back(disc_orbit(kDiscEdge * shape_.disc_length * std::max(static_cast<double>(i), 0.5) / kOrbits));
}

/// The squared vertical dispersion of a sech² layer is that of its own gravity, π G Σ h, plus ln 2 · h² Ω² for bulge
/// and halo, whose acceleration grows as Ω² z (Jeans' equation at z = 0).
Galaxy::DiscOrbit Galaxy::disc_orbit(double r) const {
    const double step = kDiscEdge * shape_.disc_length / kCurveSteps, place = r / step;
    const double squared = between(curve_, place);
    const double slope = (between(curve_, place + 0.5) - between(curve_, place - 0.5)) / step;
    const double omega2 = squared / (r * r);
    const double kappa2 = std::max(2 * omega2 + slope / r, omega2);  // between Kepler's and a rigid disc's
    const double sigma = surface_density(r), circular = std::sqrt(squared);
    DiscOrbit orbit{};
    orbit.radial_dispersion = std::min(kToomre * 3.36 * sigma / std::sqrt(kappa2), 0.4 * circular);
    orbit.tangential_dispersion = orbit.radial_dispersion * std::sqrt(kappa2 / (4 * omega2));
    const double height = kThickness * shape_.disc_length;
    orbit.vertical_dispersion =
        std::sqrt(std::numbers::pi * sigma * height * height / std::hypot(height, shape_.softening) +
                  std::numbers::ln2 * height * height * sphere_acceleration(r) / r);
    const double radial2 = orbit.radial_dispersion * orbit.radial_dispersion;
    const double drift = radial2 * (1 - kappa2 / (4 * omega2) - 2 * r / shape_.disc_length);
    orbit.mean = std::sqrt(std::max(0.0, squared + drift));
    return orbit;
}

void Galaxy::add_disc(std::size_t count, double mass, Random& random, Placement& to) const {
    const double all = exponential_mass(kDiscEdge), length = shape_.disc_length;
    to.add_in_blocks(count, mass, random, [orbits = orbits_, all, length, count](std::size_t i, Random& own) {
        const double x = exponential_radius(all * stratified(i, count, own)), r = length * x;
        const double angle = own.uniform(0, 2 * std::numbers::pi);
        const double z = kThickness * length * std::atanh(own.uniform(-1, 1));
        const DiscOrbit& orbit = orbits[static_cast<std::size_t>(x / kDiscEdge * kOrbits + 0.5)];
        const double out = orbit.radial_dispersion * own.normal();
        const double along = orbit.mean + orbit.tangential_dispersion * own.normal();
        const double up = orbit.vertical_dispersion * own.normal();
        const double c = std::cos(angle), s = std::sin(angle);
        return NewBody{{r * c, r * s, z}, {out * c - along * s, out * s + along * c, up}};
    });
}

std::shared_ptr<const Galaxy> Galaxy::of(const GalaxyShape& shape) {
    static std::mutex mutex;
    static std::vector<std::shared_ptr<const Galaxy>> known;  // least recently used first
    const std::lock_guard lock{mutex};
    if (const auto found = std::ranges::find(known, shape, [](const auto& galaxy) { return galaxy->shape_; });
        found != known.end()) {
        std::rotate(found, found + 1, known.end());
    } else {
        if (known.size() == kKnown) known.erase(known.begin());
        known.push_back(std::make_shared<const Galaxy>(shape));
    }
    return known.back();
}

void Galaxy::add_sphere(const Sphere& sphere, InPotential& there, std::size_t count, double mass, Random& random,
                        Placement& to) const {
    const double softening2 = shape_.softening * shape_.softening;
    const auto acceleration = [&](double r) {
        return sphere_acceleration(r) + disc_mass_within(r) * r / std::pow(r * r + softening2, 1.5);
    };
    std::call_once(there.once, [&] {
        there.made = std::make_unique<const IsotropicSphere>(sphere.density(), kFirstRadius * shape_.disc_length,
                                                             sphere.edge(), acceleration);
    });
    there.made->add(count, mass, random, to);
}

void Galaxy::add(std::size_t count, Random& random, Placement& to) const {
    const std::size_t first = to.size();
    const auto share = [&](double fraction) {
        return static_cast<std::size_t>(std::lround(fraction * static_cast<double>(count)));
    };
    // Small numbers cannot resolve three components: a component without bodies adds its mass to the central body.
    const std::size_t bulge = std::max<std::size_t>(1, share(kBulgeBodies)), halo = share(kHaloBodies);
    const std::size_t disc = count - std::min(count, bulge + halo);
    const double bulge_mass = bulge_.mass + (halo == 0 ? halo_.mass : 0) + (disc == 0 ? disc_mass_ : 0);
    if (disc > 0) add_disc(disc, disc_mass_ / static_cast<double>(disc), random, to);
    if (halo > 0) add_sphere(halo_, halo_in_potential_, halo, halo_.mass / static_cast<double>(halo), random, to);
    if (bulge == 1)
        to.add({}, {}, bulge_mass);
    else
        add_sphere(bulge_, bulge_in_potential_, bulge, bulge_mass / static_cast<double>(bulge), random, to);
    to.centre(first);
}

constexpr double kFirstMass = 0.55;                          // of 1; the rest is the other galaxy
constexpr double kFirstLength = 0.12, kOtherLength = 0.105;  // disc scale lengths
constexpr double kSeparation = 1.1, kPericentre = 0.22;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// Tilts the bodies from `first` on about the x axis by `inclination`, then rotates them about z by `azimuth`.
void tilt(Placement& bodies, std::size_t first, double inclination, double azimuth) {
    const double ci = std::cos(inclination), si = std::sin(inclination), ca = std::cos(azimuth), sa = std::sin(azimuth);
    const auto turned = [=](Vec3d a) {
        const Vec3d b{a.x, ci * a.y - si * a.z, si * a.y + ci * a.z};
        return Vec3d{ca * b.x - sa * b.y, sa * b.x + ca * b.y, b.z};
    };
    bodies.change(first, [turned](Vec4d& p, Vec3d& v) {
        const Vec3d place = turned(xyz(p));
        p = {place.x, place.y, place.z, p.w};
        v = turned(v);
    });
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

void shift(Placement& bodies, std::size_t first, double share, const Offset& offset) {
    bodies.change(first, [share, offset](Vec4d& p, Vec3d& v) {
        p = {p.x + share * offset.place.x, p.y + share * offset.place.y, p.z + share * offset.place.z, p.w};
        v = v + share * offset.velocity;
    });
}

/// Adds one of two galaxies, at `share` of the offset between them.
void add_galaxy(Placement& to, double softening, std::size_t bodies, Random& random, double mass, double length,
                double inclination, double azimuth, double share, const Offset& apart) {
    const std::size_t begin = to.size();
    Galaxy::of({mass, length, softening})->add(bodies, random, to);
    tilt(to, begin, radians(inclination), radians(azimuth));
    shift(to, begin, share, apart);
}

/// After Toomre & Toomre 1972, ApJ 178, 623: tails and bridges come from prograde passages, here with live haloes.
Scene collision(const PresetConfig& config, Placement& to) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    scene.gravity.softening = std::clamp(0.01 * std::cbrt(16384 / count), 0.006, 0.03);
    scene.dt = 0.003;  // 200 steps to the pericentre, and per rotation of the disc at one scale length
    scene.steps_per_frame = 3;
    if (config.bodies == 1) {
        to.add({}, {}, 1);
        return scene;
    }
    const auto first = std::min(config.bodies - 1, static_cast<std::size_t>(std::lround(kFirstMass * count)));
    const Offset apart = encounter();
    add_galaxy(to, scene.gravity.softening, first, random, kFirstMass, kFirstLength, 25, 30, 1 - kFirstMass, apart);
    add_galaxy(to, scene.gravity.softening, config.bodies - first, random, 1 - kFirstMass, kOtherLength, 50, -70,
               -kFirstMass, apart);
    to.centre();
    return scene;
}

/// A single galaxy in equilibrium, with transient spiral arms.
Scene disc_galaxy(const PresetConfig& config, Placement& to) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    scene.gravity.softening = std::clamp(0.01 * std::cbrt(16384 / count), 0.006, 0.03);
    scene.dt = 0.003;
    scene.steps_per_frame = 3;
    if (config.bodies == 1)
        to.add({}, {}, 1);
    else
        Galaxy::of({1, kFirstLength, scene.gravity.softening})->add(config.bodies, random, to);
    to.centre();
    return scene;
}

/// Lengths in kpc, total mass 1 = 2.5e12 solar masses, G = 1: the unit of speed is 3279 km/s and that of time 0.298
/// Myr. Masses, present distance and velocity after van der Marel et al. 2012, ApJ 753, 8: 1 and 1.5e12 solar masses,
/// 770 kpc, 109.3 km/s radial (approaching) and 17 tangential. They move as point masses down to kStart, where the
/// scene begins. Scale lengths of the discs: 3 and 5 kpc. The inclinations of the discs are arbitrary.
Scene milky_way_andromeda(const PresetConfig& config, Placement& to) {
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
        to.add({}, {}, 1);
        return scene;
    }
    const double energy = (kTowards * kTowards + kAcross * kAcross) / 2 - 1 / kToday;
    const double across = kAcross * kToday / kStart;
    const double towards = std::sqrt(2 * (energy + 1 / kStart) - across * across);
    const Offset apart{{kStart, 0, 0}, {-towards, across, 0}};
    const auto first =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(kMilkyWay * count)), 1, config.bodies - 1);
    add_galaxy(to, scene.gravity.softening, first, random, kMilkyWay, 3, 35, 60, 1 - kMilkyWay, apart);
    add_galaxy(to, scene.gravity.softening, config.bodies - first, random, 1 - kMilkyWay, 5, 60, -30, -kMilkyWay,
               apart);
    to.centre();
    return scene;
}

}  // namespace

std::span<const PresetEntry> galaxies_presets() {
    static constexpr std::array all{
        PresetEntry{"collision", "Colliding galaxies",
                    "two disc galaxies with bulge and halo pass each other closely and grow tidal tails", kGalaxies,
                    16384, false, collision},
        PresetEntry{"disc-galaxy", "Disc galaxy",
                    "exponential disc, bulge and halo in equilibrium; transient spiral arms", kGalaxies, 16384, false,
                    disc_galaxy},
        PresetEntry{"milky-way-andromeda", "Milky Way and Andromeda",
                    "the two galaxies 150 kpc apart, about 0.3 Gyr before they meet; units kpc, 0.298 Myr", kGalaxies,
                    16384, false, milky_way_andromeda},
    };
    return all;
}

}  // namespace orrery
