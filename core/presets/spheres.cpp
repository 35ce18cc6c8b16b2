// SPDX-License-Identifier: MIT
// Spheres in equilibrium whose velocities come from their distribution functions.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/analytic.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/in_blocks.hpp"
#include "core/presets/isotropic.hpp"

namespace orrery {
namespace {

Scene made_of(const IsotropicSphere& sphere, const PresetConfig& config, double softening) {
    Random random{config.seed};
    Scene scene;
    sphere.add(config.bodies, 1 / static_cast<double>(config.bodies), random, scene.bodies);
    centre(scene.bodies);
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

}  // namespace

/// ρ ∝ 1 / (r (r + a)³), G = M = a = 1 (Hernquist 1990, ApJ 356, 359), cut off smoothly at 100 a, which holds 98 %.
Scene hernquist(const PresetConfig& config) {
    return made_of(IsotropicSphere{hernquist_shape, 1e-3, 300}, config, 0.6);
}

/// King 1966, AJ 71, 64, W0 = 6. The King radius of 0.3 gives a half-mass radius near 0.8, as for the Plummer sphere.
Scene king(const PresetConfig& config) {
    static constexpr double kKingRadius = 0.3;
    const KingProfile profile;
    const auto density = [&](double r) { return profile.density(r / kKingRadius); };
    return made_of(IsotropicSphere{density, 1e-3, kKingRadius * profile.edge}, config, 0.6);
}

/// ρ ∝ 1 / (r (1 + r)²) (Navarro, Frenk & White 1996, ApJ 462, 563) in scale radii, concentration 10: beyond the virial
/// radius of 10 truncated by exp(-(r/10)²), after Springel & White 1999, MNRAS 307, 162.
Scene nfw_halo(const PresetConfig& config) { return made_of(IsotropicSphere{nfw_shape, 1e-3, 35}, config, 0.9); }

/// A uniform sphere of radius and mass 1 in virial balance, 2K = |W| = 3/5, with the same dispersion everywhere: it
/// keeps its size while it relaxes (uniform spheres have no equilibrium of this kind).
Scene uniform_sphere(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    add_in_blocks(scene.bodies, config.bodies, random, [&](std::size_t i, Random& own) {
        const double r = std::cbrt(stratified(i, config.bodies, own));
        const Vec3d v{own.normal(), own.normal(), own.normal()};
        return NewBody{r * own.direction(), std::sqrt(0.2) * v, 1 / count};
    });
    centre(scene.bodies);
    scene.gravity.softening = std::min(std::pow(count, -0.26), 0.2);
    scene.dt = 0.1 * scene.gravity.softening;
    scene.steps_per_frame = 2;
    return scene;
}

}  // namespace orrery
