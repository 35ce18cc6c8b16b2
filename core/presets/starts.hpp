// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

namespace orrery {

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

}  // namespace orrery
