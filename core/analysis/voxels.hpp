// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/pool.hpp"
#include "core/base/vec.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// The cubic spline of smoothed-particle hydrodynamics with support radius 1 (Monaghan & Lattanzio 1985, A&A 149, 135;
/// in this form Springel 2005, MNRAS 364, 1105, eq. 4). Its integral over space is 1.
inline double sph_kernel(double q) {
    constexpr double kNorm = 8 / 3.14159265358979323846;
    if (q >= 1) return 0;
    return q < 0.5 ? kNorm * (1 + 6 * q * q * (q - 1)) : kNorm * 2 * (1 - q) * (1 - q) * (1 - q);
}

/// The radius of each body's kernel: from a field of smoothing lengths (Gadget, SWIFT, TIPSY) where it has a value
/// above 0, otherwise the distance to the 32nd neighbour. `rows`: the bodies' rows in the fields; empty: their own
/// order.
std::vector<double> kernel_supports(Pool& pool, const std::vector<BodyField>& fields, std::span<const Vec4d> places,
                                    std::span<const std::uint32_t> rows = {});

/// Its integral along a line at a distance from the centre, from a table; the error is below 1e-6 of the central value.
class ColumnKernel {
public:
    ColumnKernel() {
        constexpr int kParts = 400;  // Simpson's rule
        for (std::size_t i = 0; i < kSteps; ++i) {
            const double b = static_cast<double>(i) / kSteps, reach = std::sqrt(1 - b * b), step = reach / kParts;
            double sum = 0;
            for (int k = 0; k <= kParts; ++k) {
                const double z = k * step;
                sum += (k == 0 || k == kParts ? 1 : k % 2 == 1 ? 4 : 2) * sph_kernel(std::sqrt(b * b + z * z));
            }
            table_[i] = 2 * sum * step / 3;
        }
        table_[kSteps] = 0;
    }
    double operator()(double q) const {
        if (q >= 1) return 0;
        const double at = q * kSteps;
        const auto i = static_cast<std::size_t>(at);
        return std::lerp(table_[i], table_[i + 1], at - static_cast<double>(i));
    }

private:
    static constexpr std::size_t kSteps = 4096;
    std::array<double, kSteps + 1> table_{};
};

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
