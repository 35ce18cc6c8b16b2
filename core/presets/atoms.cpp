// SPDX-License-Identifier: MIT
// Crystals of atoms and ions. argon_drop() and salt_melt() have reduced units: a body's mass, σ and the depth of the
// well (for ions the energy of two charges σ apart) are 1, and so is the unit of temperature, that energy over
// Boltzmann's constant.
#include "core/presets/all.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/random.hpp"
#include "core/presets/placement.hpp"

namespace orrery {
namespace {

/// Maxwellian velocity of a body of mass 1 at this temperature (Maxwell 1860).
Vec3d thermal(Random& random, double temperature) {
    return std::sqrt(temperature) * Vec3d{random.normal(), random.normal(), random.normal()};
}

}  // namespace

std::vector<Vec3d> face_centred_crystal(std::size_t count) {
    const double edge = std::numbers::sqrt2;  // edge of the cubic cell, which has four sites
    // Each site occupies a volume of 1/√2; the margin of 2 makes up for the discrete surface.
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

std::vector<SaltSite> rock_salt_crystal(std::size_t count) {
    const double radius = std::cbrt(3 / (4 * std::numbers::pi) * static_cast<double>(count)) + 2;
    const int cells = static_cast<int>(std::ceil(radius));
    std::array<std::vector<SaltSite>, 2> of_charge;
    for (int x = -cells; x <= cells; ++x)
        for (int y = -cells; y <= cells; ++y)
            for (int z = -cells; z <= cells; ++z) {
                const Vec3d at{x - 0.5, y - 0.5, z - 0.5};
                const bool negative = (x + y + z) % 2 != 0;
                if (dot(at, at) <= radius * radius) of_charge[negative].push_back({at, negative ? -1.0 : 1.0});
            }
    std::vector<SaltSite> sites;
    for (const std::size_t negative : {0u, 1u}) {
        std::vector<SaltSite>& some = of_charge[negative];
        std::ranges::stable_sort(some, {}, [](const SaltSite& site) { return dot(site.at, site.at); });
        some.resize((count + 1 - negative) / 2);
        sites.insert(sites.end(), some.begin(), some.end());
    }
    return sites;
}

namespace {

/// Atoms of total mass 1 in homologous collapse, without heat. The triple-dipole force scales with m² and d^(-10), so
/// that with neighbours N^(-1/5) apart accelerations do not depend on N. Most triangles of a crystal are acute and
/// repel: this stops the collapse when neighbours are about that far apart, and the atoms rebound, facets first. (No
/// pair force holds them together.)
Scene argon_cluster(const PresetConfig& config) {
    Random random{config.seed};
    Scene scene;
    const auto count = static_cast<double>(config.bodies);
    const double turn = std::pow(count, -0.2), apart = 1.5 * turn;
    // The energy of the crystal, 12 N^(-1/5) (turn / apart)⁹, equals the kinetic energy ½ v² = 0.3 (rate · radius)².
    const double rate = 5 * std::pow(count, -7.0 / 30);
    for (const Vec3d site : face_centred_crystal(config.bodies)) {
        const Vec3d off{random.normal(), random.normal(), random.normal()};
        const Vec3d at = apart * (site + 0.02 * off);
        scene.bodies.add(at, -rate * at, 1 / count);
    }
    centre(scene.bodies);
    scene.gravity.softening = 0.2 * turn;  // keeps two atoms that attract along a line from falling into each other
    scene.dt = 0.004;
    scene.steps_per_frame = 1;
    return scene;
}

/// A ball of crystal, heated to twice its final temperature: half of the energy goes into the potential energy of the
/// vibration, and the rest is above the melting point of 0.7 (Allen & Tildesley 1987, §1.2).
Scene argon_drop(const PresetConfig& config) {
    constexpr double kApart = 1.1, kHeated = 1.9;  // equilibrium distance, including neighbours beyond the nearest
    Random random{config.seed};
    Scene scene;
    for (const Vec3d site : face_centred_crystal(config.bodies))
        scene.bodies.add(kApart * site, thermal(random, kHeated), 1);
    centre(scene.bodies);
    scene.gravity = {.constant = 1, .softening = 0, .law = PairLaw::kLennardJones, .sigma = 1, .cut_off = 2.5};
    scene.dt = 0.004;
    scene.steps_per_frame = 4;
    return scene;
}

/// A ball of rock salt, heated in the same way: sodium chloride melts at 1074 K, 0.018 of the energy of two ions at the
/// distance of neighbours.
Scene salt_melt(const PresetConfig& config) {
    constexpr double kApart = 1.18, kHeated = 0.045;  // equilibrium: 1.748 r⁸ = 6 (1 + 12/6 · 2^(-9/2))
    Random random{config.seed};
    Scene scene;
    for (const SaltSite& site : rock_salt_crystal(config.bodies)) {
        scene.bodies.add(kApart * site.at, thermal(random, kHeated), 1);
        scene.bodies.charge.push_back(site.charge);
    }
    centre(scene.bodies);
    scene.gravity = {.constant = 1, .softening = 0, .law = PairLaw::kCoulomb, .sigma = 1};
    scene.dt = 0.02;
    scene.steps_per_frame = 4;
    return scene;
}

}  // namespace

std::span<const PresetEntry> atoms_presets() {
    static constexpr std::array all{
        PresetEntry{"argon-cluster", "Argon cluster",
                    "a cold face-centred cubic crystal of atoms, slightly perturbed; for the engine triplet", kAtoms,
                    512, false, in_memory<argon_cluster>, false, false, "triplet"},
        PresetEntry{"argon-drop", "Argon drop",
                    "a hot crystal of atoms with Lennard-Jones forces, which melts into a drop; reduced units", kAtoms,
                    2048, false, in_memory<argon_drop>, false},
        PresetEntry{"salt-melt", "Salt melt",
                    "a hot crystal of ions, half of them of either charge, which melts; reduced units", kAtoms, 2048,
                    false, in_memory<salt_melt>, false},
    };
    return all;
}

}  // namespace orrery
