// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include "core/base/vec.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// Where a body of no mass goes within `duration` among bodies that stand still, by leapfrog: what a person sees while
/// aiming, from the start on. Under a law that is not gravity, straight on.
std::vector<Vec3d> predicted_path(std::span<const Vec4d> pulling, const Gravity& gravity, Vec3d position,
                                  Vec3d velocity, double duration);

}  // namespace orrery
