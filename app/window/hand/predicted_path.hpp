// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include "core/base/vec.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// The path of a massless body within `duration` among fixed bodies, by leapfrog, including its start: shown while
/// aiming. A straight line under a law other than gravity.
std::vector<Vec3d> predicted_path(std::span<const Vec4d> pulling, const Gravity& gravity, Vec3d position,
                                  Vec3d velocity, double duration);

}  // namespace orrery
