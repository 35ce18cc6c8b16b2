// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// The bodies of a cube of voxels, spread by their kernels. Voxel (i, j, k) is the cube of side `voxel` around the
/// point voxel · (i, j, k). Rows follow x, planes follow z.
struct VoxelBrick {
    static constexpr int kSide = 32;
    static constexpr std::size_t kVoxels = std::size_t{kSide} * kSide * kSide;

    std::array<int, 3> first{};              ///< indices of its first voxel, multiples of kSide
    std::vector<float> density;              ///< kVoxels of them; 0: no body reaches the voxel
    std::vector<Vec3f> velocity;             ///< mean by mass
    std::vector<std::vector<float>> fields;  ///< of each field of the bodies, its mean by mass; NaN: no value there
};

/// A side of voxels for these bodies: a round number near 1/64 of the radius that encloses 90 % of them.
double suggested_voxel(const Bodies& bodies);

/// Calls take(brick) for each brick that a kernel reaches, in ascending order of z, y, x. Kernels are those of
/// projections, see kernel_supports(); narrower than a voxel they are widened to one, wider than 32 voxels narrowed to
/// them. Each kernel's sum over its voxels is 1, so the sum of density × volume is the mass. Throws Error{kUsage} if an
/// index of a voxel exceeds 2^30.
void for_each_brick(Pool& pool, const Bodies& bodies, double voxel,
                    const std::function<void(const VoxelBrick& brick)>& take);

}  // namespace orrery
