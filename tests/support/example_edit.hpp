// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/simulation/edit.hpp"

namespace orrery::test {

/// An example of each kind of edit, for 40 bodies or more.
inline Edit example_edit(const EditEntry& entry) {
    return {.kind = entry.kind,
            .bodies = entry.adds || entry.brushes ? std::vector<std::uint32_t>{}
                      : entry.names               ? std::vector<std::uint32_t>{39}
                                                  : std::vector<std::uint32_t>{3, 4, 39},
            .by = entry.shifts ? Vec3d{0.5, -1, 0.25} : Vec3d{},
            .factor = entry.scales ? 2.0 : 1.0,
            .add = entry.adds      ? NewBodies{.count = 12, .mass = 0.5, .radius = 0.25, .position = {1, 2, 3}}
                   : entry.brushes ? NewBodies{.radius = 0.5, .normal = {0, 1, 1}}
                                   : NewBodies{},
            .species = Species::kBoundary,
            .name = entry.names ? "Ceres" : ""};
}

}  // namespace orrery::test
