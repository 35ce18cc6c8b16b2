// SPDX-License-Identifier: MIT
#include "core/presets/starts.hpp"

#include <array>

#include "core/base/menu.hpp"

namespace orrery {
namespace {

constexpr std::array kSites{
    SitesEntry{"lattice", "Lattice", "a cubic lattice, whose rows are seen where nothing has grown yet",
               Sites::kLattice},
    SitesEntry{"glass", "Glass", "bodies that have pushed each other apart, in no order (White 1994)", Sites::kGlass},
};

constexpr std::array kDisplacements{
    DisplacementsEntry{"zeldovich", "First order", "each body on a straight line (Zel'dovich 1970)",
                       Displacements::kFirst},
    DisplacementsEntry{"2lpt", "Second order",
                       "lines that bend: clumps are right sooner, without transients (Scoccimarro 1998)",
                       Displacements::kSecond},
};

}  // namespace

std::span<const SitesEntry> sites() { return kSites; }
std::span<const DisplacementsEntry> displacements() { return kDisplacements; }
const SitesEntry& sites(std::string_view id) { return find_in_menu(sites(), "kind of sites", id); }
const DisplacementsEntry& displacements(std::string_view id) {
    return find_in_menu(displacements(), "kind of displacements", id);
}

}  // namespace orrery
