// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/random.hpp"
#include "core/presets/all.hpp"
#include "core/presets/centre.hpp"

namespace orrery {
namespace {

/// The `count` sites of a face-centred cubic lattice, nearest neighbours 1 apart, that are nearest to the middle of an
/// octahedral hole: from the inside outward.
std::vector<Vec3d> crystal(std::size_t count) {
    const double edge = std::numbers::sqrt2;  // of the cubic cell, which has four sites
    // The volume of a site is 1/√2; some shells more, since the ball is not round.
    const double radius = std::cbrt(3 / (4 * std::numbers::pi * edge) * static_cast<double>(count)) + 2;
    const int cells = static_cast<int>(std::ceil(radius / edge));
    constexpr std::array<std::array<double, 3>, 4> kSites{{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};
    std::vector<Vec3d> sites;
    for (int x = -cells; x <= cells; ++x)
        for (int y = -cells; y <= cells; ++y)
            for (int z = -cells; z <= cells; ++z)
                for (const auto& site : kSites) {
                    const Vec3d at = edge * Vec3d{x + site[0] - 0.5, y + site[1], z + site[2]};
                    if (dot(at, at) <= radius * radius) sites.push_back(at);
                }
    std::ranges::stable_sort(sites, {}, [](Vec3d at) { return dot(at, at); });
    sites.resize(count);
    return sites;
}

}  // namespace

/// Atoms of total mass 1 that fall together evenly, without heat. The triple-dipole force goes with m² and d^(-10), so
/// that neighbours N^(-1/5) apart accelerate alike whatever N. Most triangles of a crystal are acute and repel: it
/// stops the fall when neighbours are about that far apart, and sends the atoms back, facets first. (There is no pair
/// force that would hold them.)
Scene argon_cluster(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    const double turn = std::pow(count, -0.2), apart = 1.5 * turn;
    // The energy of the crystal, 12 N^(-1/5) (turn / apart)⁹, against that of the fall, ½ v² = 0.3 (rate · radius)².
    const double rate = 5 * std::pow(count, -7.0 / 30);
    for (const Vec3d site : crystal(config.bodies)) {
        const Vec3d off{random.normal(), random.normal(), random.normal()};
        const Vec3d at = apart * (site + 0.02 * off);
        scene.bodies.add(at, -rate * at, 1 / count);
    }
    centre(scene.bodies);
    scene.gravity.softening = 0.2 * turn;  // two atoms that attract along a line cannot fall into each other
    scene.dt = 0.004;
    scene.steps_per_frame = 1;
    return scene;
}

}  // namespace orrery
