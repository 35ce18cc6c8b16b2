// SPDX-License-Identifier: MIT
#include "core/presets/presets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/base/memory.hpp"
#include "core/base/menu.hpp"
#include "core/presets/all.hpp"

namespace orrery {
namespace {

constexpr std::array kSites{
    SitesEntry{"lattice", "Lattice", "a cubic lattice, whose rows stay visible in voids", Sites::kLattice},
    SitesEntry{"glass", "Glass", "an irregular arrangement of bodies that have repelled each other (White 1994)",
               Sites::kGlass},
};

constexpr std::array kDisplacements{
    DisplacementsEntry{"zeldovich", "First order", "each body on a straight line (Zel'dovich 1970)",
                       Displacements::kFirst},
    DisplacementsEntry{"2lpt", "Second order",
                       "curved paths: correct clumps sooner, without transients (Scoccimarro 1998)",
                       Displacements::kSecond},
};

/// A preset whose bodies are all in its scene.
template <Scene (*make)(const PresetConfig&)>
Scene in_memory(const PresetConfig& config, Placement& to) {
    Scene scene = make(config);
    to.add(std::exchange(scene.bodies, {}));
    return scene;
}

constexpr std::string_view kGalaxies = "Galaxies", kClusters = "Clusters and haloes", kPlanetary = "Planets",
                           kFewBodies = "Few bodies", kAtoms = "Atoms and ions";

constexpr std::array kMenu{
    PresetEntry{"collision", "Colliding galaxies",
                "two disc galaxies with bulge and halo pass each other closely and grow tidal tails", kGalaxies, 16384,
                false, collision},
    PresetEntry{"plummer", "Plummer sphere", "a star cluster in equilibrium; N-body units (G = M = 1, E = -1/4)",
                kClusters, 16384, false, plummer},
    PresetEntry{"hernquist", "Hernquist sphere", "an elliptical galaxy in equilibrium, with a central density cusp",
                kClusters, 16384, false, hernquist},
    PresetEntry{"king", "King sphere", "a globular cluster in equilibrium, with a tidal radius, W0 = 6", kClusters,
                16384, false, king},
    PresetEntry{"nfw-halo", "NFW halo", "a dark-matter halo in equilibrium, concentration 10, truncated", kClusters,
                16384, false, nfw_halo},
    PresetEntry{"disc-galaxy", "Disc galaxy", "exponential disc, bulge and halo in equilibrium; transient spiral arms",
                kGalaxies, 16384, false, disc_galaxy},
    PresetEntry{"milky-way-andromeda", "Milky Way and Andromeda",
                "the two galaxies 150 kpc apart, about 0.3 Gyr before they meet; units kpc, 0.298 Myr", kGalaxies,
                16384, false, milky_way_andromeda},
    PresetEntry{"zeldovich", "Zel'dovich sphere", "a sphere cut from an expanding universe, in which structure grows",
                kGalaxies, 32768, false, zeldovich_sphere, true, true},
    PresetEntry{"uniform-sphere", "Uniform sphere",
                "a uniform sphere of radius 1 with random velocities, 2K = |W|; it relaxes", kClusters, 16384, false,
                uniform_sphere},
    PresetEntry{"cold-sphere", "Cold sphere", "a uniform sphere of radius 1 at rest, which collapses at time 1.11",
                kClusters, 16384, false, cold_sphere},
    PresetEntry{"solar-system", "Solar system", "Sun and eight planets on 2023-11-12; units AU, solar mass, 58.13 days",
                kPlanetary, 9, true, in_memory<solar_system>},
    PresetEntry{"argon-cluster", "Argon cluster",
                "a cold face-centred cubic crystal of atoms, slightly perturbed; for the engine triplet", kAtoms, 512,
                false, in_memory<argon_cluster>, false, false, "triplet"},
    PresetEntry{"argon-drop", "Argon drop",
                "a hot crystal of atoms with Lennard-Jones forces, which melts into a drop; reduced units", kAtoms,
                2048, false, in_memory<argon_drop>, false},
    PresetEntry{"salt-melt", "Salt melt",
                "a hot crystal of ions, half of them of either charge, which melts; reduced units", kAtoms, 2048, false,
                in_memory<salt_melt>, false},
    PresetEntry{"figure-eight", "Figure eight", "three equal masses on one closed curve, period 6.326", kFewBodies, 3,
                true, in_memory<figure_eight>},
    PresetEntry{"saturn", "Saturn's rings", "rings C, B and A around a point mass, with the Cassini Division",
                kPlanetary, 16384, false, rings},
    PresetEntry{"saturn-collisions", "Saturn, colliding rings",
                "rings of particles that collide and lose energy, about a Saturn with its radius", kPlanetary, 8192,
                false, colliding_rings},
    PresetEntry{"planetesimals", "Planets from a disc",
                "planetesimals about a star, which merge where they touch; units AU, solar mass, 58.13 days",
                kPlanetary, 3000, false, planetesimals},
    PresetEntry{"black-holes", "Black holes in a cluster",
                "two black holes sink to the centre of a star cluster, become a pair and take in stars", kClusters,
                4096, false, black_holes},
    PresetEntry{"pythagorean", "Pythagorean problem",
                "masses 3, 4 and 5 fall from rest; near t = 60 the lightest is ejected", kFewBodies, 3, true,
                in_memory<pythagorean>},
    PresetEntry{"scattering", "Binary and single", "a binary meets a third body; the seed chooses the encounter",
                kFewBodies, 3, true, in_memory<scattering>},
    PresetEntry{"orbit-lagrange", "Orbit: Lagrange", "three equal masses on a rotating triangle, period 3.628",
                kFewBodies, 3, true, in_memory<lagrange>},
    PresetEntry{"orbit-butterfly-1", "Orbit: Butterfly I", "three equal masses, period 6.235", kFewBodies, 3, true,
                in_memory<periodic<0>>},
    PresetEntry{"orbit-butterfly-2", "Orbit: Butterfly II", "three equal masses, period 7.004", kFewBodies, 3, true,
                in_memory<periodic<1>>},
    PresetEntry{"orbit-bumblebee", "Orbit: Bumblebee", "three equal masses, period 63.53", kFewBodies, 3, true,
                in_memory<periodic<2>>},
    PresetEntry{"orbit-moth-1", "Orbit: Moth I", "three equal masses, period 14.89", kFewBodies, 3, true,
                in_memory<periodic<3>>},
    PresetEntry{"orbit-moth-2", "Orbit: Moth II", "three equal masses, period 28.67", kFewBodies, 3, true,
                in_memory<periodic<4>>},
    PresetEntry{"orbit-butterfly-3", "Orbit: Butterfly III", "three equal masses, period 13.87", kFewBodies, 3, true,
                in_memory<periodic<5>>},
    PresetEntry{"orbit-moth-3", "Orbit: Moth III", "three equal masses, period 25.84", kFewBodies, 3, true,
                in_memory<periodic<6>>},
    PresetEntry{"orbit-goggles", "Orbit: Goggles", "three equal masses, period 10.46", kFewBodies, 3, true,
                in_memory<periodic<7>>},
    PresetEntry{"orbit-dragonfly", "Orbit: Dragonfly", "three equal masses, period 21.27", kFewBodies, 3, true,
                in_memory<periodic<8>>},
    PresetEntry{"orbit-yarn", "Orbit: Yarn", "three equal masses, period 55.5", kFewBodies, 3, true,
                in_memory<periodic<9>>},
    PresetEntry{"orbit-yin-yang-1a", "Orbit: Yin-yang Ia", "three equal masses, period 17.33", kFewBodies, 3, true,
                in_memory<periodic<10>>},
    PresetEntry{"orbit-yin-yang-1b", "Orbit: Yin-yang Ib", "three equal masses, period 10.96", kFewBodies, 3, true,
                in_memory<periodic<11>>},
    PresetEntry{"orbit-yin-yang-2a", "Orbit: Yin-yang IIa", "three equal masses, period 55.79", kFewBodies, 3, true,
                in_memory<periodic<12>>},
    PresetEntry{"orbit-yin-yang-2b", "Orbit: Yin-yang IIb", "three equal masses, period 54.21", kFewBodies, 3, true,
                in_memory<periodic<13>>},
};

/// Engines and files count bodies in signed 32-bit integers.
constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();

constexpr std::size_t kInMemory = sizeof(Vec4d) + sizeof(Vec3d);  // bytes per body

/// The scene without bodies; `config` with their number.
Scene place(const PresetEntry& entry, PresetConfig config, Placement& to) {
    if (config.bodies == 0) config.bodies = entry.default_bodies;
    if (entry.fixed_count && config.bodies != entry.default_bodies)
        usage_error(
            fmt::format("preset {} always has {} bodies, got {}", entry.id, entry.default_bodies, config.bodies));
    if (config.bodies > kMost)
        usage_error(fmt::format("preset {}: at most {} bodies, got {}", entry.id, kMost, config.bodies));
    const std::size_t each = to.in_stretches() ? entry.displaced ? sizeof(Vec3d) : 0 : kInMemory;
    require_memory(fmt::format("preset {} with {} bodies", entry.id, config.bodies), config.bodies * each);
    Scene scene = entry.make(config, to);
    scene.id = entry.id;
    scene.label = entry.label;
    return scene;
}

}  // namespace

std::span<const SitesEntry> sites() { return kSites; }
std::span<const DisplacementsEntry> displacements() { return kDisplacements; }
const SitesEntry& sites(std::string_view id) { return find_in_menu(sites(), "kind of sites", id); }
const DisplacementsEntry& displacements(std::string_view id) {
    return find_in_menu(displacements(), "kind of displacements", id);
}

std::span<const PresetEntry> presets() { return kMenu; }

const PresetEntry& preset(std::string_view id) { return find_in_menu(presets(), "preset", id); }

std::string_view engine_of_preset(std::string_view source) {
    const auto entry = std::ranges::find(kMenu, source, &PresetEntry::id);
    return entry == kMenu.end() ? std::string_view{} : entry->engine;
}

Scene make_preset(std::string_view id, const PresetConfig& config) { return make_preset(id, config, {}); }

Scene make_preset(std::string_view id, const PresetConfig& config, const CentreSums& sums) {
    Placement placed{Placement::Way::kInMemory, sums};
    Scene scene = place(preset(id), config, placed);
    scene.bodies = std::move(placed).take_bodies();
    validate(scene.bodies, scene.id);
    return scene;
}

PresetInStretches make_preset_in_stretches(std::string_view id, const PresetConfig& config) {
    return make_preset_in_stretches(id, config, {});
}

PresetInStretches make_preset_in_stretches(std::string_view id, const PresetConfig& config, const CentreSums& sums) {
    Placement placed{Placement::Way::kInStretches, sums};
    Scene settings = place(preset(id), config, placed);
    return {std::move(settings), std::move(placed).take_source()};
}

}  // namespace orrery
