// SPDX-License-Identifier: MIT
#include "core/presets/presets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/memory.hpp"
#include "core/base/menu.hpp"
#include "core/presets/placement.hpp"

// The files of this folder with presets, a line each, in the order of the menu.
#define ORRERY_PRESETS(PRESETS) \
    PRESETS(galaxies)           \
    PRESETS(spheres)            \
    PRESETS(cosmology)          \
    PRESETS(planets)            \
    PRESETS(atoms)              \
    PRESETS(few_bodies)

namespace orrery {

#define ORRERY_DECLARE(file) std::span<const PresetEntry> file##_presets();
ORRERY_PRESETS(ORRERY_DECLARE)

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

std::span<const PresetEntry> presets() {
    static const std::vector<PresetEntry> menu = [] {
        std::vector<PresetEntry> all;
#define ORRERY_ADD(file) std::ranges::copy(file##_presets(), std::back_inserter(all));
        ORRERY_PRESETS(ORRERY_ADD)
        return all;
    }();
    return menu;
}

const PresetEntry& preset(std::string_view id) { return find_in_menu(presets(), "preset", id); }

std::string_view engine_of_preset(std::string_view source) {
    const auto entry = std::ranges::find(presets(), source, &PresetEntry::id);
    return entry == presets().end() ? std::string_view{} : entry->engine;
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
