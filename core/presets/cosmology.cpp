// SPDX-License-Identifier: MIT
#include "core/presets/cosmology.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/placement.hpp"

namespace orrery {
namespace {

/// K/|K|², or 0 if the waves cancel: such a pair has no source.
Vec3d inverse(Vec3d k) {
    const double k2 = dot(k, k);
    return k2 > 0 ? (1 / k2) * k : Vec3d{};
}

constexpr std::string_view kTile =
#include "core/presets/glass_tile.inc"
    ;
static_assert(kTile.size() == kGlassBodies * 3 * 2);

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

Vec3d first_order(std::span<const Wave> waves, Vec3d q) {
    Vec3d s{};
    for (const Wave& wave : waves) s = s + std::cos(dot(wave.k, q) + wave.phase) * wave.amplitude;
    return s;
}

/// The source of two waves is w sin a sin b = w/2 (cos(a − b) − cos(a + b)), w = k·A k'·A' (1 − μ²), where μ is the
/// cosine of the angle between them. Hence ∇ψ contains w/2 (K₋/K₋² sin(a − b) − K₊/K₊² sin(a + b)), which is expanded
/// into terms of sin a cos b and sin b cos a.
SecondOrder::SecondOrder(std::span<const Wave> waves)
    : waves_(waves.begin(), waves.end()), pairs_(waves.size() * waves.size()), gradient_(pairs_.size()) {
    for (std::size_t a = 0; a < waves.size(); ++a)
        for (std::size_t b = 0; b < waves.size(); ++b) {
            const Vec3d ka = waves[a].k, kb = waves[b].k;
            if (a == b) continue;
            const Vec3d across = cross(ka, kb);
            const double apart = dot(across, across) / (dot(ka, ka) * dot(kb, kb));
            const double w = dot(ka, waves[a].amplitude) * dot(kb, waves[b].amplitude) * apart;
            if (w == 0) continue;
            pairs_[a * waves.size() + b] = w / 2;  // counted in either order
            gradient_[a * waves.size() + b] = (w / 2) * (inverse(ka - kb) - inverse(ka + kb));
        }
}

double SecondOrder::source(Vec3d q) const {
    double sum = 0;
    for (std::size_t a = 0; a < waves_.size(); ++a)
        for (std::size_t b = 0; b < waves_.size(); ++b)
            sum += pairs_[a * waves_.size() + b] * std::sin(dot(waves_[a].k, q) + waves_[a].phase) *
                   std::sin(dot(waves_[b].k, q) + waves_[b].phase);
    return sum;
}

Vec3d SecondOrder::displacement(Vec3d q) const {
    const std::size_t count = waves_.size();
    Vec3d sum{};
    std::vector<double> cosines(count);
    for (std::size_t b = 0; b < count; ++b) cosines[b] = std::cos(dot(waves_[b].k, q) + waves_[b].phase);
    for (std::size_t a = 0; a < count; ++a) {
        const Vec3d* const row = gradient_.data() + a * count;
        Vec3d of{};
        for (std::size_t b = 0; b < count; ++b) of = of + cosines[b] * row[b];
        sum = sum + std::sin(dot(waves_[a].k, q) + waves_[a].phase) * of;
    }
    return (-3.0 / 7) * sum;
}

std::vector<Vec3d> glass_tile() {
    std::vector<Vec3d> places(kGlassBodies);
    std::size_t at = 0;
    const auto next = [&] {
        const std::size_t high = kGlassDigits.find(kTile[at]), low = kGlassDigits.find(kTile[at + 1]);
        at += 2;
        return (static_cast<double>(64 * high + low) + 0.5) * kGlassSide / kGlassSteps;
    };
    for (Vec3d& place : places) {
        place.x = next();
        place.y = next();
        place.z = next();
    }
    return places;
}

namespace {

/// A ball of a flat, matter-only universe without surroundings: a lattice of mass and radius 1 that expands with H² = 2
/// (critical density, G = 1) and is perturbed by the growing mode, x = q + s(q), v = H x + H s (Zel'dovich 1970, A&A 5,
/// 84). Sheets, filaments and clumps form while it expands. The second-order displacement, which grows as the square of
/// the first-order one, adds s₂ to positions and H x + 2 H s₂ to velocities.
Scene zeldovich_sphere(const PresetConfig& config, Placement& to) {
    Random random{config.seed};
    const auto all = waves(random);
    const double hubble = std::numbers::sqrt2, mass = 1 / static_cast<double>(config.bodies);
    Scene scene;
    std::optional<SecondOrder> bends;
    if (config.displacements == Displacements::kSecond) bends.emplace(all);
    const auto sites = std::make_shared<const std::vector<Vec3d>>(
        config.sites == Sites::kGlass ? glass(config.bodies, random) : lattice(config.bodies));
    to.add_in_blocks(config.bodies, mass, random, [sites, all, bends, hubble](std::size_t i, Random&) {
        const Vec3d q = (*sites)[i], s = first_order(all, q);
        NewBody body{q + s, hubble * (q + 2.0 * s)};
        if (bends) {
            const Vec3d s2 = bends->displacement(q);
            body.place = body.place + s2;
            body.velocity = body.velocity + 3 * hubble * s2;
        }
        return body;
    });
    to.centre();
    const auto count = static_cast<double>(config.bodies);
    scene.gravity.softening = std::min(0.3 / std::cbrt(count), 0.05);  // a fifth of the distance between neighbours
    scene.dt = 0.01;
    scene.steps_per_frame = 1;
    return scene;
}

}  // namespace

std::span<const PresetEntry> cosmology_presets() {
    static constexpr std::array all{
        PresetEntry{"zeldovich", "Zel'dovich sphere",
                    "a sphere cut from an expanding universe, in which structure grows", kGalaxies, 32768, false,
                    zeldovich_sphere, true, true},
    };
    return all;
}

}  // namespace orrery
