// SPDX-License-Identifier: MIT
#include "core/physics/pair_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"

namespace orrery {

std::span<const PairLawEntry> pair_laws() {
    static constexpr auto menu = std::to_array<PairLawEntry>({
        {"gravity", "Gravity", "Newton's law, Plummer softening", PairLaw::kGravity},
        {"spline", "Gravity, spline", "Newton's law, softened by Gadget's spline: exact from 2.8 ε on",
         PairLaw::kSpline},
        {"lennard-jones", "Lennard-Jones", "atoms of any mass: repulsion below σ, attraction beyond, up to the cut-off",
         PairLaw::kLennardJones},
        {"coulomb", "Coulomb", "charges; with σ a repulsion keeps opposite ones apart", PairLaw::kCoulomb},
    });
    return menu;
}

const PairLawEntry& pair_law(PairLaw law) { return *std::ranges::find(pair_laws(), law, &PairLawEntry::value); }
const PairLawEntry& pair_law(std::string_view id) { return find_in_menu(pair_laws(), "law", id); }

std::vector<PairLaw> every_pair_law() {
    std::vector<PairLaw> all;
    for (const PairLawEntry& entry : pair_laws()) all.push_back(entry.value);
    return all;
}

void validate(const Gravity& gravity) {
    const auto require = [](const char* what, double found) {
        if (!(found >= 0) || !std::isfinite(found))
            usage_error(fmt::format("{} {}: must be a length of 0 or more", what, found));
    };
    require("softening", gravity.softening);
    require("sigma", gravity.sigma);
    if (!(gravity.cut_off >= 0) || !std::isfinite(gravity.cut_off))
        usage_error(fmt::format("cut_off {}: must be a number of σ, or 0 for none", gravity.cut_off));
    if (gravity.law == PairLaw::kLennardJones && gravity.sigma == 0)
        usage_error("law lennard-jones needs sigma, the distance at which the energy of two atoms is zero");
}

}  // namespace orrery
