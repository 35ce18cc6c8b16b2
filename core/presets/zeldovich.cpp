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

/// Random directions and phases; |k| s ∝ k^(1/2) per interval of log k, as of a power spectrum ∝ k^(-2).
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

/// Radius of the sphere with `count` units of volume.
double radius_of_volume(std::size_t count) {
    return std::cbrt(3 * static_cast<double>(count) / (4 * std::numbers::pi));
}

/// The `count` of these nearest to the origin, scaled by 1 / fill.
std::vector<Vec3d> nearest_to_origin(std::vector<Vec3d> sites, std::size_t count, double fill) {
    // Ties of distance are broken by place, so that every machine takes the same ones.
    const auto nearer = [](Vec3d a, Vec3d b) {
        const double ra = dot(a, a), rb = dot(b, b);
        return ra != rb ? ra < rb : a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
    };
    std::ranges::nth_element(sites, sites.begin() + static_cast<std::ptrdiff_t>(count - 1), nearer);
    sites.resize(count);
    for (Vec3d& at : sites) at = (1 / fill) * at;
    return sites;
}

/// The `count` sites of a cubic lattice nearest to the middle of a cell, scaled so that they fill a sphere of radius 1.
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

/// The same of a glass whose tile is repeated. Its edges are turned as the random numbers say, so that no view from
/// along an axis has copies of the tile behind each other.
std::vector<Vec3d> glass(std::size_t count, Random& random) {
    const double fill = radius_of_volume(count);
    const Vec3d x = random.direction(), other = cross(x, random.direction());
    const Vec3d y = (1 / length(other)) * other, z = cross(x, y);
    const Vec3d middle{random.uniform(0, kGlassSide), random.uniform(0, kGlassSide), random.uniform(0, kGlassSide)};
    const double reach = fill + 1;  // no hole of the glass is as large as a unit of length
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

/// A ball of a flat, matter-only universe with nothing around it: a lattice of mass and radius 1 that expands with
/// H² = 2 (critical density, G = 1) and is disturbed by the growing mode, x = q + s(q), v = H x + H s (Zel'dovich 1970,
/// A&A 5, 84). Sheets, threads and clumps form while it expands. The displacement of second order, which grows as the
/// square of that of first order, adds s₂ to places and H x + 2 H s₂ to velocities.
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
    scene.gravity.softening = std::min(0.3 / std::cbrt(count), 0.05);  // of the distance between neighbours, a fifth
    scene.dt = 0.01;
    scene.steps_per_frame = 1;
    return scene;
}

}  // namespace orrery
