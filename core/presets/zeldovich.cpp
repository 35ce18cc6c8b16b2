// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"
#include "core/presets/displacement.hpp"
#include "core/presets/glass.hpp"
#include "core/presets/in_blocks.hpp"

namespace orrery {
namespace {

constexpr double kContrast = 0.4;  // RMS of the linear density contrast at the start
constexpr std::size_t kWaves = 40;
constexpr double kShortest = 0.35, kLongest = 2;  // wavelengths

/// Random directions and phases; |k| s ∝ k^(1/2) per interval of log k, as for a power spectrum ∝ k^(-2).
std::array<Wave, kWaves> waves(Random& random) {
    std::array<Wave, kWaves> all;
    double variance = 0;
    for (std::size_t i = 0; i < kWaves; ++i) {
        const double part = (static_cast<double>(i) + 0.5) / kWaves;
        const double k = 2 * std::numbers::pi / (kLongest * std::pow(kShortest / kLongest, part));
        const Vec3d along = random.direction();
        const double contrast = std::sqrt(k);
        all[i] = {k * along, contrast / k * along, random.uniform(0, 2 * std::numbers::pi)};
        variance += contrast * contrast / 2;
    }
    for (Wave& wave : all) wave.amplitude = kContrast / std::sqrt(variance) * wave.amplitude;
    return all;
}

/// Radius of a sphere with volume `count`.
double radius_of_volume(std::size_t count) {
    return std::cbrt(3 * static_cast<double>(count) / (4 * std::numbers::pi));
}

/// The `count` sites nearest to the origin, scaled by 1 / fill.
std::vector<Vec3d> nearest_to_origin(std::vector<Vec3d> sites, std::size_t count, double fill) {
    // Ties in distance are broken by position, so that every machine selects the same sites.
    const auto nearer = [](Vec3d a, Vec3d b) {
        const double ra = dot(a, a), rb = dot(b, b);
        return ra != rb ? ra < rb : a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
    };
    std::ranges::nth_element(sites, sites.begin() + static_cast<std::ptrdiff_t>(count - 1), nearer);
    sites.resize(count);
    for (Vec3d& at : sites) at = (1 / fill) * at;
    return sites;
}

/// The `count` sites of a cubic lattice nearest to the centre of a cell, scaled to fill a sphere of radius 1.
std::vector<Vec3d> lattice(std::size_t count) {
    const double fill = radius_of_volume(count);
    const int reach = static_cast<int>(std::ceil(fill)) + 1;
    const double most = (fill + 1) * (fill + 1);
    std::vector<Vec3d> sites;
    for (int x = -reach; x < reach; ++x)
        for (int y = -reach; y < reach; ++y)
            for (int z = -reach; z < reach; ++z) {
                const Vec3d at{x + 0.5, y + 0.5, z + 0.5};
                if (dot(at, at) <= most) sites.push_back(at);
            }
    return nearest_to_origin(std::move(sites), count, fill);
}

/// The same for a periodic glass. Its axes have random directions, so that no view along a coordinate axis shows copies
/// of the tile behind each other.
std::vector<Vec3d> glass(std::size_t count, Random& random) {
    const double fill = radius_of_volume(count);
    const Vec3d x = random.direction(), other = cross(x, random.direction());
    const Vec3d y = (1 / length(other)) * other, z = cross(x, y);
    const Vec3d middle{random.uniform(0, kGlassSide), random.uniform(0, kGlassSide), random.uniform(0, kGlassSide)};
    const double reach = fill + 1;  // holes of the glass are smaller than a unit of length
    const int copies = static_cast<int>(std::ceil(reach / kGlassSide)) + 1;
    const auto tile = glass_tile();
    std::vector<Vec3d> sites;
    for (int a = -copies; a <= copies; ++a)
        for (int b = -copies; b <= copies; ++b)
            for (int c = -copies; c <= copies; ++c)
                for (const Vec3d& place : tile) {
                    const Vec3d at = place - middle + double{kGlassSide} * Vec3d{double(a), double(b), double(c)};
                    if (dot(at, at) <= reach * reach) sites.push_back(at.x * x + at.y * y + at.z * z);
                }
    return nearest_to_origin(std::move(sites), count, fill);
}

}  // namespace

/// A ball of a flat, matter-only universe without surroundings: a lattice of mass and radius 1 that expands with H² = 2
/// (critical density, G = 1) and is perturbed by the growing mode, x = q + s(q), v = H x + H s (Zel'dovich 1970, A&A 5,
/// 84). Sheets, filaments and clumps form while it expands. The second-order displacement, which grows as the square of
/// the first-order one, adds s₂ to positions and H x + 2 H s₂ to velocities.
Scene zeldovich_sphere(const PresetConfig& config) {
    Random random{config.seed};
    const auto all = waves(random);
    const double hubble = std::numbers::sqrt2, mass = 1 / static_cast<double>(config.bodies);
    Scene scene;
    std::optional<SecondOrder> bends;
    if (config.displacements == Displacements::kSecond) bends.emplace(all);
    const auto sites = config.sites == Sites::kGlass ? glass(config.bodies, random) : lattice(config.bodies);
    add_in_blocks(scene.bodies, config.bodies, random, [&](std::size_t i, Random&) {
        const Vec3d q = sites[i], s = first_order(all, q);
        NewBody body{q + s, hubble * (q + 2.0 * s), mass};
        if (bends) {
            const Vec3d s2 = bends->displacement(q);
            body.place = body.place + s2;
            body.velocity = body.velocity + 3 * hubble * s2;
        }
        return body;
    });
    centre(scene.bodies);
    const auto count = static_cast<double>(config.bodies);
    scene.gravity.softening = std::min(0.3 / std::cbrt(count), 0.05);  // a fifth of the distance between neighbours
    scene.dt = 0.01;
    scene.steps_per_frame = 1;
    return scene;
}

}  // namespace orrery
