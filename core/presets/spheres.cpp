// SPDX-License-Identifier: MIT
// Spheres: in equilibrium, with velocities from their distribution functions, and others; and their analytic profiles.
#include "core/presets/spheres.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/isotropic.hpp"
#include "core/presets/placement.hpp"

namespace orrery {
namespace {

constexpr double kPi = std::numbers::pi;

/// 4π ∫ ρ r² dr from 0 to r by Simpson's rule in log r. Below the first radius the densities of these shapes grow at
/// most as 1/r, so the mass there is negligible.
double mass_of(double (*shape)(double), double r) {
    constexpr double kFirst = 1e-5;
    constexpr int kSteps = 400;
    if (!(r > kFirst)) return 0;
    const double h = std::log(r / kFirst) / kSteps;
    double sum = 0;
    for (int i = 0; i <= kSteps; ++i) {
        const double x = kFirst * std::exp(i * h);
        sum += (i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2) * shape(x) * x * x * x;
    }
    return 4 * kPi * sum * h / 3;
}

/// A shape scaled to total mass 1.
template <double (*shape)(double)>
struct Normalised {
    static double whole() {
        static const double mass = mass_of(shape, 1e3);
        return mass;
    }
    static double density(double r) { return shape(r) / whole(); }
    static double mass_within(double r) { return mass_of(shape, r) / whole(); }
};

/// Plummer 1911, MNRAS 71, 460: ρ = 3/(4π a³) (1 + r²/a²)^(-5/2), M(r) = (1 + a²/r²)^(-3/2), truncated at M = 0.999.
double plummer_mass(double r) {
    return std::min(1.0, std::pow(1 + std::pow(kPlummerScale / r, 2), -1.5) / kPlummerKept);
}
double plummer_density(double r) {
    if (plummer_mass(r) >= 1) return 0;
    return 3 / (4 * kPi * std::pow(kPlummerScale, 3) * kPlummerKept) *
           std::pow(1 + std::pow(r / kPlummerScale, 2), -2.5);
}
double uniform_mass(double r) { return r < 1 ? r * r * r : 1; }
double uniform_density(double r) { return r < 1 ? 3 / (4 * kPi) : 0; }

constexpr auto kProfiles = std::to_array<AnalyticProfile>({
    {"plummer", plummer_density, plummer_mass},
    {"hernquist", Normalised<hernquist_shape>::density, Normalised<hernquist_shape>::mass_within},
    {"nfw-halo", Normalised<nfw_shape>::density, Normalised<nfw_shape>::mass_within},
    {"uniform-sphere", uniform_density, uniform_mass},
});

/// Speed in units of the escape speed, density q²(1-q²)^(7/2), by rejection; 0.1 bounds its maximum of 0.0922.
double speed_fraction(Random& random) {
    for (;;) {
        const double q = random.uniform(), bound = random.uniform(0, 0.1);
        if (bound < q * q * std::pow(1 - q * q, 3.5)) return q;
    }
}

Scene made_of(const IsotropicSphere& sphere, const PresetConfig& config, Placement& to, double softening) {
    Random random{config.seed};
    Scene scene;
    sphere.add(config.bodies, 1 / static_cast<double>(config.bodies), random, to);
    to.centre();
    scene.gravity.softening = std::min(softening * std::pow(static_cast<double>(config.bodies), -0.26), 0.2);
    scene.dt = 0.1 * scene.gravity.softening;
    scene.steps_per_frame = 2;
    return scene;
}

/// King's density over the central one at dimensionless depth W, not normalised (King 1966, AJ 71, 64, eq. 18).
double king_density(double w) {
    return w <= 0 ? 0 : std::exp(w) * std::erf(std::sqrt(w)) - std::sqrt(4 * w / std::numbers::pi) * (1 + 2 * w / 3);
}

constexpr double kDepth = 6;  // W0: a globular cluster of concentration log10(r_t/r_0) = 1.25

/// W at equal steps of r in King radii: W'' + 2 W'/r = -9 ρ/ρ0, integrated outward to W = 0 by Runge-Kutta.
struct KingProfile {
    static constexpr double kStep = 2e-3;
    std::vector<double> depth{kDepth};
    double edge = 0;

    KingProfile() {
        double w = kDepth, slope = 0, r = 0;
        const auto bend = [](double at, double depth_there, double slope_there) {
            const double acceleration = 9 * king_density(depth_there) / king_density(kDepth);
            return at == 0 ? -acceleration / 3 : -acceleration - 2 * slope_there / at;
        };
        while (w > 0) {
            const double h = kStep, k1 = slope, l1 = bend(r, w, slope);
            const double k2 = slope + h / 2 * l1, l2 = bend(r + h / 2, w + h / 2 * k1, k2);
            const double k3 = slope + h / 2 * l2, l3 = bend(r + h / 2, w + h / 2 * k2, k3);
            const double k4 = slope + h * l3, l4 = bend(r + h, w + h * k3, k4);
            const double before = w;
            w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), slope += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4), r += h;
            depth.push_back(std::max(w, 0.0));
            edge = w > 0 ? r : r - h + h * before / (before - w);
        }
    }
    double density(double r) const {  // in King radii
        const double place = r / kStep;
        const auto i = static_cast<std::size_t>(place);
        if (r >= edge || i + 1 >= depth.size()) return 0;
        return king_density(std::lerp(depth[i], depth[i + 1], place - static_cast<double>(i)));
    }
};

constexpr double kHoleMass = 0.03, kHolePlace = 0.6;  // mass of each, relative to the cluster; distance from the centre
constexpr double kHoleReach = 4e-3;                   // distance within which a star is swallowed

}  // namespace

double hernquist_shape(double r) { return std::exp(-r * r / 1e4) / (r * std::pow(1 + r, 3)); }
double nfw_shape(double r) { return std::exp(-r * r / 100) / (r * (1 + r) * (1 + r)); }

const AnalyticProfile* analytic_profile(std::string_view preset) {
    const auto found = std::ranges::find(kProfiles, preset, &AnalyticProfile::preset);
    return found == kProfiles.end() ? nullptr : &*found;
}

double lagrangian_radius(const AnalyticProfile& profile, double fraction) {
    double low = 1e-4, high = 1e3;
    for (int i = 0; i < 60; ++i) {
        const double middle = std::sqrt(low * high);
        (profile.mass_within(middle) < fraction ? low : high) = middle;
    }
    return high;
}

namespace {

/// Aarseth, Hénon & Wielen 1974, A&A 37, 183, appendix.
Scene plummer(const PresetConfig& config, Placement& to) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    to.add_in_blocks(config.bodies, 1 / count, random, [](std::size_t, Random& own) {
        const double mass_inside = kPlummerKept * own.uniform();
        const double r = 1 / std::sqrt(std::pow(mass_inside, -2.0 / 3) - 1);  // in scale lengths
        const double speed = speed_fraction(own) * std::sqrt(2 / kPlummerScale) * std::pow(1 + r * r, -0.25);
        const Vec3d place = kPlummerScale * r * own.direction();
        return NewBody{place, speed * own.direction()};
    });
    to.centre();
    // Minimum force error for a Plummer sphere in these units: Athanassoula et al. 2000, MNRAS 314, 475
    scene.gravity.softening = std::min(0.98 * std::pow(count, -0.26), 0.2);
    scene.dt = 0.1 * scene.gravity.softening;  // speeds in the core are about 1
    scene.steps_per_frame = 2;
    return scene;
}

/// A uniform sphere of radius 1 and mass 1 at rest. It collapses after π/√8 = 1.11 units of time and rebounds.
Scene cold_sphere(const PresetConfig& config, Placement& to) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    to.add_in_blocks(config.bodies, 1 / count, random, [](std::size_t, Random& own) {
        const double r = std::cbrt(own.uniform());
        return NewBody{r * own.direction(), {}};
    });
    to.centre();
    // Noise stops the collapse at a radius of about N^(-1/3) (Aarseth, Lin & Papaloizou 1988, ApJ 324, 288). Speeds
    // there are about √(2/N^(-1/3)), and the step resolves the passage.
    scene.gravity.softening = std::min(1 / std::cbrt(count), 0.1);
    scene.dt = 0.05 * scene.gravity.softening;
    scene.steps_per_frame = 4;
    return scene;
}

/// ρ ∝ 1 / (r (r + a)³), G = M = a = 1 (Hernquist 1990, ApJ 356, 359), cut off smoothly at 100 a, which holds 98 %.
Scene hernquist(const PresetConfig& config, Placement& to) {
    return made_of(IsotropicSphere{hernquist_shape, 1e-3, 300}, config, to, 0.6);
}

/// King 1966, AJ 71, 64, W0 = 6. The King radius of 0.3 gives a half-mass radius near 0.8, as for the Plummer sphere.
Scene king(const PresetConfig& config, Placement& to) {
    static constexpr double kKingRadius = 0.3;
    const KingProfile profile;
    const auto density = [&](double r) { return profile.density(r / kKingRadius); };
    return made_of(IsotropicSphere{density, 1e-3, kKingRadius * profile.edge}, config, to, 0.6);
}

/// ρ ∝ 1 / (r (1 + r)²) (Navarro, Frenk & White 1996, ApJ 462, 563) in scale radii, concentration 10: beyond the virial
/// radius of 10 truncated by exp(-(r/10)²), after Springel & White 1999, MNRAS 307, 162.
Scene nfw_halo(const PresetConfig& config, Placement& to) {
    return made_of(IsotropicSphere{nfw_shape, 1e-3, 35}, config, to, 0.9);
}

/// A uniform sphere of radius and mass 1 in virial balance, 2K = |W| = 3/5, with the same dispersion everywhere: it
/// keeps its size while it relaxes (uniform spheres have no equilibrium of this kind).
Scene uniform_sphere(const PresetConfig& config, Placement& to) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    to.add_in_blocks(config.bodies, 1 / count, random, [all = config.bodies](std::size_t i, Random& own) {
        const double r = std::cbrt(stratified(i, all, own));
        const Vec3d v{own.normal(), own.normal(), own.normal()};
        return NewBody{r * own.direction(), std::sqrt(0.2) * v};
    });
    to.centre();
    scene.gravity.softening = std::min(std::pow(count, -0.26), 0.2);
    scene.dt = 0.1 * scene.gravity.softening;
    scene.steps_per_frame = 2;
    return scene;
}

/// A Plummer sphere in N-body units and two black holes opposite each other, on circular orbits in it. Dynamical
/// friction makes them sink in some ten units of time; they become a binary and eject stars (Milosavljević & Merritt
/// 2001, ApJ 563, 34).
Scene black_holes(const PresetConfig& config, Placement& to) {
    const std::size_t holes = config.bodies == 1 ? 1 : 2, stars = config.bodies - holes;
    const double hole = stars > 0 ? kHoleMass : 1.0 / static_cast<double>(holes);
    Scene scene;
    if (stars > 0) scene = plummer({.bodies = stars, .seed = config.seed}, to);
    const double left = 1 - static_cast<double>(holes) * hole;
    to.scale_masses(left);
    to.species.assign(stars, Species::kStars);
    // Circular speed from the sphere's mass within r (scale 3π/16) and the attraction of the other hole.
    constexpr double kScale = 0.589048622548086;
    const double r = kHolePlace, inside = stars > 0 ? left * std::pow(1 + kScale * kScale / (r * r), -1.5) : 0;
    const double speed = holes == 2 ? std::sqrt((inside + hole / 4) / r) : 0;
    for (std::size_t i = 0; i < holes; ++i) {
        const double side = holes == 1 ? 0 : i == 0 ? 1 : -1;
        to.add({side * r, 0, 0}, {0, side * speed, 0}, hole);
        to.species.push_back(Species::kBoundary);
    }
    to.centre();
    scene.gravity.softening = 2e-3;
    scene.encounters = {.kind = EncounterKind::kAccrete, .radius = kHoleReach};
    scene.dt = 1.0 / 512;
    scene.steps_per_frame = 4;
    return scene;
}

}  // namespace

std::span<const PresetEntry> spheres_presets() {
    static constexpr std::array all{
        PresetEntry{"plummer", "Plummer sphere", "a star cluster in equilibrium; N-body units (G = M = 1, E = -1/4)",
                    kClusters, 16384, false, plummer},
        PresetEntry{"hernquist", "Hernquist sphere", "an elliptical galaxy in equilibrium, with a central density cusp",
                    kClusters, 16384, false, hernquist},
        PresetEntry{"king", "King sphere", "a globular cluster in equilibrium, with a tidal radius, W0 = 6", kClusters,
                    16384, false, king},
        PresetEntry{"nfw-halo", "NFW halo", "a dark-matter halo in equilibrium, concentration 10, truncated", kClusters,
                    16384, false, nfw_halo},
        PresetEntry{"uniform-sphere", "Uniform sphere",
                    "a uniform sphere of radius 1 with random velocities, 2K = |W|; it relaxes", kClusters, 16384,
                    false, uniform_sphere},
        PresetEntry{"cold-sphere", "Cold sphere", "a uniform sphere of radius 1 at rest, which collapses at time 1.11",
                    kClusters, 16384, false, cold_sphere},
        PresetEntry{"black-holes", "Black holes in a cluster",
                    "two black holes sink to the centre of a star cluster, become a pair and take in stars", kClusters,
                    4096, false, black_holes},
    };
    return all;
}

}  // namespace orrery
