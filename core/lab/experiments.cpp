// SPDX-License-Identifier: MIT
#include "core/lab/experiments.hpp"

#include <algorithm>
#include <array>

namespace orrery {
namespace {

bool among(const std::vector<std::string>& wanted, std::string_view id) {
    return wanted.empty() || std::ranges::find(wanted, id) != wanted.end();
}

}  // namespace

bool LabConfig::wants_map(std::string_view id) const { return among(maps, id); }
bool LabConfig::wants_root(std::string_view id) const { return among(roots, id); }

std::span<const LabEntry> experiments() {
    static const std::array menu{roots_experiment(),     dummy_experiment(),           edm_experiment(),
                                 collision_experiment(), collision_pairs_experiment(), collision_rows_experiment(),
                                 triplet_experiment(),   tiles_experiment(),           programs_experiment(),
                                 waste_experiment(),     exactness_experiment(),       accuracy_experiment(),
                                 orders_experiment()};
    return menu;
}

}  // namespace orrery
