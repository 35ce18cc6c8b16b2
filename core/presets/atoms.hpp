// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// The `count` sites of a face-centred cubic lattice (nearest neighbours 1 apart) that are nearest to the centre of an
/// octahedral hole, from the inside outward.
std::vector<Vec3d> face_centred_crystal(std::size_t count);

/// A site of rock salt: a simple cubic lattice, neighbours 1 apart and of opposite charge.
struct SaltSite {
    Vec3d at;
    double charge;  ///< ±1
};
/// The sites nearest to the centre of a cube, equally many of either charge; for an odd count one more is positive.
std::vector<SaltSite> rock_salt_crystal(std::size_t count);

}  // namespace orrery
