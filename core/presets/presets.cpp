// SPDX-License-Identifier: MIT
#include "core/presets/presets.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "core/base/memory.hpp"
#include "core/base/menu.hpp"
#include "core/presets/all.hpp"

namespace orrery {
namespace {

constexpr std::array kMenu{
    PresetEntry{"collision", "Colliding galaxies",
                "two disc galaxies with bulge and halo pass close by each other and draw out tails", 16384, false,
                collision},
    PresetEntry{"plummer", "Plummer sphere", "a star cluster in equilibrium; N-body units (G = M = 1, E = -1/4)", 16384,
                false, plummer},
    PresetEntry{"cold-sphere", "Cold sphere", "a uniform sphere of radius 1 at rest, which collapses at time 1.11",
                16384, false, cold_sphere},
    PresetEntry{"solar-system", "Solar system", "Sun and eight planets on 2023-11-12; AU, solar masses, 58.13 days", 9,
                true, solar_system},
    PresetEntry{"argon-cluster", "Argon cluster",
                "a cold crystal of atoms, face-centred cubic, slightly disturbed; for the engine triplet", 512, false,
                argon_cluster},
    PresetEntry{"figure-eight", "Figure eight", "three equal bodies on one closed curve, period 6.326", 3, true,
                figure_eight},
};

/// Engines and files count bodies in 32 bits with a sign.
constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();

/// Scene, state and accelerations of a double-precision engine, and three frames of vertices.
constexpr std::size_t kBytesPerBody = 3 * sizeof(Vec4d) + sizeof(Vec4d) + sizeof(Vec3d) + 3 * sizeof(Vec4f);

}  // namespace

std::span<const PresetEntry> presets() { return kMenu; }

const PresetEntry& preset(std::string_view id) { return find_in_menu(presets(), "preset", id); }

Scene make_preset(std::string_view id, const PresetConfig& config) {
    const PresetEntry& entry = preset(id);
    const std::size_t count = config.bodies == 0 ? entry.default_bodies : config.bodies;
    if (entry.fixed_count && count != entry.default_bodies)
        usage_error(
            fmt::format("preset {} has {} bodies and no other number, asked for {}", id, entry.default_bodies, count));
    if (count > kMost) usage_error(fmt::format("preset {}: at most {} bodies, asked for {}", id, kMost, count));
    require_memory(fmt::format("preset {} with {} bodies", id, count), count * kBytesPerBody);
    Scene scene = entry.make({count, config.seed});
    scene.id = entry.id;
    scene.label = entry.label;
    validate(scene.bodies, scene.id);
    return scene;
}

}  // namespace orrery
