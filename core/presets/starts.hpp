// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

namespace orrery {

/// Where bodies of an expanding universe stand before they are displaced.
enum class Sites { kLattice, kGlass };
/// To which order of perturbation theory they are displaced.
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
/// Throw Error{kUsage} that names the id and lists the menu.
const SitesEntry& sites(std::string_view id);
const DisplacementsEntry& displacements(std::string_view id);

}  // namespace orrery
