// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/bodies/bodies.hpp"

namespace orrery {

class BodySource;
class Placement;

/// Initial positions of the bodies of an expanding universe before they are displaced.
enum class Sites { kLattice, kGlass };
/// Order of the perturbation theory of the displacements.
enum class Displacements { kFirst, kSecond };

struct SitesEntry {
    std::string_view id, label, doc;
    Sites value;
};
struct DisplacementsEntry {
    std::string_view id, label, doc;
    Displacements value;
};

std::span<const SitesEntry> sites();
std::span<const DisplacementsEntry> displacements();
/// These throw Error{kUsage} that names the id and lists the menu.
const SitesEntry& sites(std::string_view id);
const DisplacementsEntry& displacements(std::string_view id);

struct PresetConfig {
    std::size_t bodies = 0;  ///< 0: the preset's default
    std::uint64_t seed = 1;
    Sites sites = Sites::kLattice;                        ///< for presets with displacements
    Displacements displacements = Displacements::kFirst;  ///< for presets with displacements
};

/// A line of the menu of initial conditions.
struct PresetEntry {
    std::string_view id, label, doc;
    std::string_view family;  ///< menu section, such as "Galaxies"
    std::size_t default_bodies;
    bool fixed_count;                                   ///< the number of bodies is fixed
    Scene (*make)(const PresetConfig&, Placement& to);  ///< adds the bodies to `to`; the scene has none
    bool gravitates = true;                             ///< its bodies move by gravity
    bool displaced = false;                             ///< uses `sites` and `displacements`
    std::string_view engine = {};  ///< id of the engine whose force holds its bodies together; empty: a pair law
};

std::span<const PresetEntry> presets();
/// Throws Error{kUsage} that names the id and lists the menu.
const PresetEntry& preset(std::string_view id);
/// PresetEntry::engine; also empty if `source` is not a preset.
std::string_view engine_of_preset(std::string_view source);
/// Generates the scene, checks the count (0: default; fixed presets refuse any other) and validates the bodies.
Scene make_preset(std::string_view id, const PresetConfig& config = {});
/// The same bodies, bit for bit, made in stretches whenever they are read; `settings` has none. Crystals of atoms and
/// presets of few bodies stay in memory; `zeldovich` keeps its sites, 24 bytes per body.
struct PresetInStretches {
    Scene settings;
    std::shared_ptr<const BodySource> bodies;
};
PresetInStretches make_preset_in_stretches(std::string_view id, const PresetConfig& config = {});

inline constexpr std::string_view kDefaultPreset = "collision";

}  // namespace orrery
