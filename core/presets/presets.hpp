// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/bodies/bodies.hpp"
#include "core/presets/starts.hpp"

namespace orrery {

struct PresetConfig {
    std::size_t bodies = 0;  ///< 0: the preset's default
    std::uint64_t seed = 1;
    Sites sites = Sites::kLattice;                        ///< of a preset that is displaced
    Displacements displacements = Displacements::kFirst;  ///< likewise
};

/// A line of the menu of initial conditions.
struct PresetEntry {
    std::string_view id, label, doc;
    std::string_view family;  ///< "Galaxies", under which menus show it
    std::size_t default_bodies;
    bool fixed_count;  ///< the number of bodies is fixed
    Scene (*make)(const PresetConfig&);
    bool gravitates = true;        ///< its bodies move by gravity
    bool displaced = false;        ///< it asks for sites and displacements
    std::string_view engine = {};  ///< id of the engine whose force holds its bodies together; empty: a law of pairs
};

std::span<const PresetEntry> presets();
/// Throws Error{kUsage} that names the id and lists the menu.
const PresetEntry& preset(std::string_view id);
/// PresetEntry::engine; empty also if `source` is no preset.
std::string_view engine_of_preset(std::string_view source);
/// Generates the scene, checks the count (0 = default; a fixed preset refuses any other) and validates the bodies.
Scene make_preset(std::string_view id, const PresetConfig& config = {});

inline constexpr std::string_view kDefaultPreset = "collision";

}  // namespace orrery
