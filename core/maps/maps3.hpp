// SPDX-License-Identifier: MIT
// The menu of maps of the 3-simplex. They use the roots of core/maps/maps.hpp.
#pragma once
#include <span>
#include <string_view>

#include "core/maps/any_map3.hpp"

namespace orrery {

struct Map3Entry {
    std::string_view id, label, doc;
    bool takes_root;
    Map3Id map;
};

/// All maps are exact over the whole tetrahedron of up to kMostLayers layers.
std::span<const Map3Entry> simplex3_maps();
/// Throws Error{kUsage} for an unknown id.
const Map3Entry& simplex3_map(std::string_view id);

/// The first layer in which the form without integer correction, Lambda3Published in Real with this ε, misplaces a
/// triple: the first, the last, or one at an end of a row. Returns `limit` if there is none below.
template <class Real>
std::uint32_t first_wrong_layer(Real epsilon, std::uint32_t limit);

}  // namespace orrery
